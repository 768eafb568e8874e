"""What a GPU does when a kernel reads beyond its tensor: each try in a process of its own, for some do not survive it."""

import json
import os
import subprocess
import sys
import traceback

import torch

from course_utils.backend import tl, triton

SIZE, NEIGHBOUR = 10, 7.0  # of the tensor that is read; what the next tensor in memory holds
OFFSETS = (9, 10, 128, 1_000_000, 4_000_000_000)


@triton.jit
def read_one_kernel(y_ptr, x_ptr, offset):
    tl.store(y_ptr, tl.load(x_ptr + offset))


def measure_astray() -> list[dict]:
    tries = [(offset, "0") for offset in OFFSETS] + [(OFFSETS[-1], "1")]
    return [_alone(offset, blocking) for offset, blocking in tries]


def _alone(offset: int, blocking: str) -> dict:
    environment = os.environ | {"CUDA_LAUNCH_BLOCKING": blocking}
    command = [sys.executable, "-m", __name__, str(offset)]
    told = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120).stdout
    return {"offset": offset, "blocking": blocking} | json.loads(told.splitlines()[-1])


def _read(offset: int) -> dict:
    """What was read, or the error and the line that raised it; and what becomes of a call that has nothing to do with it."""
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
