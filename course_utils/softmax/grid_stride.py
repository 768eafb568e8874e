"""The grid-stride kernel: a few programs share many rows, each taking one in so many."""

import torch

from ..backend import tl, triton
from .inputs import as_matrix


@triton.jit
def grid_stride_kernel(
    y_ptr, x_ptr, y_stride, x_stride, n_rows, n_cols, BLOCK_SIZE: tl.constexpr, STAGES: tl.constexpr
):
    columns = tl.arange(0, BLOCK_SIZE)
    mask = columns < n_cols
    for row in tl.range(tl.program_id(0).to(tl.int64), n_rows, tl.num_programs(0), num_stages=STAGES):
        x = tl.load(x_ptr + row * x_stride + columns, mask=mask, other=-float("inf")).to(tl.float32)
        numerator = tl.exp(x - tl.max(x, axis=0))
        y = numerator / tl.sum(numerator, axis=0)
        tl.store(y_ptr + row * y_stride + columns, y, mask=mask)


def grid_stride_softmax(x, num_programs=4):
    """`num_programs` programs, whatever the number of rows."""
    x = as_matrix(x)
    n_rows, n_cols = x.shape
    y = torch.empty_like(x)
    block = triton.next_power_of_2(n_cols)
    grid = (min(num_programs, n_rows),)
    grid_stride_kernel[grid](y, x, y.stride(0), x.stride(0), n_rows, n_cols, BLOCK_SIZE=block, STAGES=2)
    return y
