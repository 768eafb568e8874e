"""What a GPU does when a kernel reads beyond its tensor: each try in a process of its own, for some do not survive it."""

import json
import os
import subprocess
import sys
import traceback
from dataclasses import dataclass

SIZE, NEIGHBOUR = 10, 7.0  # of the tensor that is read; what the next tensor in memory holds
OFFSETS = (9, 10, 128, 1_000_000, 4_000_000_000)


@dataclass(frozen=True)
class Line:
    """What was read, or the error and the line that raised it; and what becomes of a call that has nothing to do with it."""

    offset: int
    blocking: int
    read: str
    error: str
    raised_by: str
    next_call: str


def cases():
    return [{"offset": offset, "blocking": 0} for offset in OFFSETS] + [{"offset": OFFSETS[-1], "blocking": 1}]


def measure(offset, blocking):
    environment = os.environ | {"CUDA_LAUNCH_BLOCKING": str(blocking)}
    command = [sys.executable, "-m", __name__, str(offset)]
    told = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120).stdout
    yield Line(offset, blocking, **json.loads(told.splitlines()[-1]))


def _read(offset: int) -> dict:
    import torch

    from .bench.kernels import read_one_kernel

    x = torch.arange(float(SIZE), device="cuda")
    neighbour = torch.full((SIZE,), NEIGHBOUR, device="cuda")
    y = torch.zeros(1, device="cuda")
    found = {"read": "", "error": "", "raised_by": "", "next_call": ""}
    torch.cuda.synchronize()
    try:
        read_one_kernel[(1,)](y, x, offset)
        found["read"] = str(y.item())
    except Exception as error:  # the kinds differ between versions
        found["error"] = str(error).splitlines()[0]
        own = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == __file__]
        found["raised_by"] = own[-1].line
    try:
        found["next_call"] = str((neighbour + 1).sum().item())
    except Exception as error:
        found["next_call"] = str(error).splitlines()[0]
    return found


if __name__ == "__main__":
    print(json.dumps(_read(int(sys.argv[1]))))
