"""The occupancy launcher: a program a row, or, where rows are so short that starting programs would take longer than moving
their bytes, and there are more rows than programs fit, as many programs as are resident at once."""

import functools

import torch

from .. import hardware, occupancy
from ..backend import triton
from ..compiler import compile_for
from .grid_stride import grid_stride_kernel
from .inputs import as_matrix
from .row_kernel import row_kernel

START = 80  # nanoseconds from one start of a program to the next, on one SM: recorded on an H200


def warps_for(block):
    """8 elements a thread, with 1 to 16 warps."""
    return max(1, min(16, block // 256))


@functools.cache
def resident(block, dtype, device):
    """How many programs of the grid-stride kernel fit: compiled and counted once for each block, type and device."""
    launch = (dtype, dtype, block, block, 4096, block)
    options = {"BLOCK_SIZE": block, "STAGES": 1, "num_warps": warps_for(block)}
    kernel = compile_for(grid_stride_kernel, device, *launch, **options)
    return occupancy.of(kernel)


def is_short(row_bytes, device):
    """Whether an SM moves so many bytes in and out sooner than it starts the next program."""
    bandwidth = device.bandwidth or 0  # GB/s, or bytes a nanosecond; 0 where nobody knows
    return 2 * row_bytes < START * bandwidth / device.multiprocessors


def occupancy_softmax(x, device=None):
    """Softmax of every row, launched for a GPU, `device`: the one here, or an H200 if there is none."""
    device = device or hardware.here() or hardware.find("H200")
    x = as_matrix(x)
    y = torch.empty_like(x)
    n_rows, n_cols = x.shape
    block = triton.next_power_of_2(n_cols)
    options = {"BLOCK_SIZE": block, "num_warps": warps_for(block)}
    strides = y.stride(0), x.stride(0)
    programs = n_rows
    if is_short(n_cols * x.element_size(), device):
        programs = resident(block, x.dtype, device).launch(n_rows)
    if programs < n_rows:
        grid_stride_kernel[(programs,)](y, x, *strides, n_rows, n_cols, STAGES=1, **options)
    else:
        row_kernel[(n_rows,)](y, x, *strides, n_cols, **options)
    return y
