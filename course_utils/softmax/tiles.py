"""What the kernels of training share: how rows lie in memory, in which type sums are kept, and on which device one launches."""

import contextlib
import math

import torch

from .. import hardware
from ..backend import mode, tl, triton
from .choose import VECTOR
from .launch import on_grid

HINT = "evict_last"  # what is read once had better stay until it is, while results are written out
BLOCK = {2: 8192, 4: 4096, 8: 2048}  # columns that go by together in a row that is not held; 8 warps


def block(n_cols: int, size: int) -> int:
    """How many columns of a row that is not held go by together."""
    most = 32768 if mode == "interpreter" else BLOCK[size]  # the interpreter takes as long for a short block
    return min(most, max(triton.next_power_of_2(n_cols), 16))


def programs(n_rows: int) -> int:
    """Programs where each takes one row in so many: on an NPU as many as cores, elsewhere one a row."""
    return min(n_rows, hardware.here().vector_cores) if mode == "npu" else n_rows


def accumulator(dtype):
    return tl.float64 if dtype == torch.float64 else tl.float32


def row_stride(rows) -> int:
    return rows.stride(0) if len(rows) > 1 else rows.shape[1]


def alignment(*matrices) -> int:
    """What sizes may be divided by, for the kernel to multiply with: then the compiler knows that loads can be wide."""
    size = max(each.element_size() for each in matrices)
    if not on_grid(*(each.data_ptr() for each in matrices)):
        return 1
    return math.gcd(VECTOR // size, matrices[0].shape[1], *map(row_stride, matrices))


def on(x):
    """Within, kernels are launched on the device where `x` is."""
    return torch.cuda.device(x.device) if x.is_cuda else contextlib.nullcontext()
