"""The occupancy launcher: as many programs as fit on the device at once, so that none has to wait for another to end."""

import functools

import torch

from .. import compiler, hardware, occupancy
from ..backend import triton
from .grid_stride import grid_stride_kernel

STAGES = 2
NUM_WARPS = 8


@functools.lru_cache(maxsize=1024)
def programs_that_fit(dtype, n_rows, n_cols, y_stride, x_stride, aligned=True, device=None) -> int:
    """Programs of `grid_stride_kernel` to launch. Every argument is part of the key: each can make another kernel."""
    device = device or hardware.here() or hardware.find("H200")
    if isinstance(device, hardware.Npu):  # no registers, no warps: a vector core to each program
        return min(n_rows, device.vector_cores)
    pointers = [compiler.Pointer(str(dtype).rpartition(".")[2], aligned)] * 2
    needs = compiler.compile_for(
        grid_stride_kernel, device, *pointers, y_stride, x_stride, n_rows, n_cols,
        BLOCK_SIZE=triton.next_power_of_2(n_cols), STAGES=STAGES, num_warps=NUM_WARPS,
    )  # fmt: skip
    return occupancy.of(needs).launch(n_rows)


def occupancy_softmax(x):
    """A grid-stride softmax whose number of programs is computed, not guessed."""
    n_rows, n_cols = x.shape
    y = torch.empty_like(x)
    sizes = (y.stride(0), x.stride(0), n_rows, n_cols)
    programs = programs_that_fit(x.dtype, n_rows, n_cols, y.stride(0), x.stride(0), x.data_ptr() % 16 == 0)
    block = triton.next_power_of_2(n_cols)
    grid_stride_kernel[(programs,)](y, x, *sizes, BLOCK_SIZE=block, STAGES=STAGES, num_warps=NUM_WARPS)
    return y
