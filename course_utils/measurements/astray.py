"""What a GPU does when a kernel reads beyond its tensor: each try in a process of its own, for some do not survive it."""

import json
import os
import subprocess
import sys
import traceback

import torch

from ..backend import tl, triton
from .bench import every, line_of

SIZE, NEIGHBOUR = 10, 7.0  # of the tensor that is read; what the next tensor in memory holds
FAR = 4_000_000_000
CASES = [*every(offset=(9, 10, 128, 1_000_000, FAR), blocking=(0,)), {"offset": FAR, "blocking": 1}]
# what was read, or the error and the line that raised it
Line = line_of(offset=int, blocking=int, read=str, error=str, raised_by=str)


@triton.jit
def read_one_kernel(y_ptr, x_ptr, offset):
    tl.store(y_ptr, tl.load(x_ptr + offset))


def measure(offset, blocking):
    environment = os.environ | {"CUDA_LAUNCH_BLOCKING": str(blocking)}
    command = [sys.executable, "-m", __name__, str(offset)]
    told = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120).stdout
    yield Line(offset, blocking, **json.loads(told.splitlines()[-1]))


def _read(offset: int) -> dict:
    x, _neighbour = torch.arange(float(SIZE), device="cuda"), torch.full((SIZE,), NEIGHBOUR, device="cuda")
    y = torch.zeros(1, device="cuda")
    torch.cuda.synchronize()
    try:
        read_one_kernel[(1,)](y, x, offset)
        return {"read": str(y.item()), "error": "", "raised_by": ""}
    except Exception as error:  # the kinds differ between versions
        own = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == __file__]
        return {"read": "", "error": str(error).splitlines()[0], "raised_by": own[-1].line}


if __name__ == "__main__":
    print(json.dumps(_read(int(sys.argv[1]))))
