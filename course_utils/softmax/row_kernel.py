"""The masked one-row kernel: each program does one whole row in one pass."""

import torch

from ..backend import tl, triton
from .inputs import as_matrix


@triton.jit
def row_kernel(y_ptr, x_ptr, y_stride, x_stride, n_cols, BLOCK_SIZE: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    columns = tl.arange(0, BLOCK_SIZE)
    mask = columns < n_cols
    x = tl.load(x_ptr + row * x_stride + columns, mask=mask, other=-float("inf")).to(tl.float32)
    numerator = tl.exp(x - tl.max(x, axis=0))
    y = numerator / tl.sum(numerator, axis=0)
    tl.store(y_ptr + row * y_stride + columns, y, mask=mask)


def row_softmax(x):
    """One program a row; the block is the next power of two that holds it."""
    x = as_matrix(x)
    n_rows, n_cols = x.shape
    y = torch.empty_like(x)
    block = triton.next_power_of_2(n_cols)
    row_kernel[(n_rows,)](y, x, y.stride(0), x.stride(0), n_cols, BLOCK_SIZE=block)
    return y
