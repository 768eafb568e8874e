"""Ascend NPUs: no warps, no registers to count. A program has a vector core to itself, so there are as many programs as cores."""

import torch

from ..backend import triton
from .grid_stride import grid_stride_kernel
from .split import split

BUFFER = 16384  # columns that a core's buffer holds as float32, with room for what is computed from them


def vector_cores() -> int:
    properties = triton.runtime.driver.active.utils.get_device_properties(torch.npu.current_device())
    return properties["num_vectorcore"]


def on_npu(y, x) -> None:
    """The softmax of rows `x` into dense rows `y`."""
    n_rows, n_cols = x.shape
    block = triton.next_power_of_2(n_cols)
    if block > BUFFER:
        split(y, x)
        return
    grid = (min(n_rows, vector_cores()),)
    grid_stride_kernel[grid](y, x, y.stride(0), x.stride(0), n_rows, n_cols, BLOCK_SIZE=block, STAGES=1)
