"""A row that no program can hold, block by block: three readings the obvious way, two with pairs that can be merged."""

import torch

from ..backend import tl, triton
from .combine import finite
from .inputs import as_matrix

BLOCK = 16384  # columns at a time, 32 elements a thread


@triton.jit
def three_pass_kernel(y_ptr, x_ptr, y_stride, x_stride, n_cols, BLOCK_SIZE: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    columns = tl.arange(0, BLOCK_SIZE)
    m = tl.full((), -float("inf"), tl.float32)
    for start in tl.range(0, n_cols, BLOCK_SIZE):
        x = tl.load(x_ptr + row * x_stride + start + columns, mask=start + columns < n_cols, other=-float("inf"))
        m = tl.maximum(m, tl.max(x.to(tl.float32), axis=0))
    s = tl.full((), 0.0, tl.float32)
    for start in tl.range(0, n_cols, BLOCK_SIZE):
        x = tl.load(x_ptr + row * x_stride + start + columns, mask=start + columns < n_cols, other=-float("inf"))
        s += tl.sum(tl.exp(x.to(tl.float32) - m), axis=0)
    for start in tl.range(0, n_cols, BLOCK_SIZE):
        mask = start + columns < n_cols
        x = tl.load(x_ptr + row * x_stride + start + columns, mask=mask, other=-float("inf"))
        tl.store(y_ptr + row * y_stride + start + columns, tl.exp(x.to(tl.float32) - m) / s, mask=mask)


@triton.jit
def merge(m1, s1, m2, s2):
    """Two parts of a row become one."""
    m = tl.maximum(m1, m2)
    return m, s1 * tl.exp(m1 - finite(m)) + s2 * tl.exp(m2 - finite(m))


@triton.jit
def two_pass_kernel(y_ptr, x_ptr, y_stride, x_stride, n_cols, BLOCK_SIZE: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    columns = tl.arange(0, BLOCK_SIZE)
    m = tl.full((), -float("inf"), tl.float32)
    s = tl.full((), 0.0, tl.float32)
    for start in tl.range(0, n_cols, BLOCK_SIZE):
        mask = start + columns < n_cols
        x = tl.load(x_ptr + row * x_stride + start + columns, mask=mask, other=-float("inf")).to(tl.float32)
        m_block = tl.max(x, axis=0)
        s_block = tl.sum(tl.exp(x - finite(m_block)), axis=0)
        m, s = merge(m, s, m_block, s_block)
    for start in tl.range(0, n_cols, BLOCK_SIZE):
        mask = start + columns < n_cols
        x = tl.load(x_ptr + row * x_stride + start + columns, mask=mask, other=-float("inf")).to(tl.float32)
        tl.store(y_ptr + row * y_stride + start + columns, tl.exp(x - m) / s, mask=mask)


def three_pass_softmax(x, block=None):
    return _a_row_each(three_pass_kernel, x, block)


def two_pass_softmax(x, block=None):
    """One program a row, however long the row is."""
    return _a_row_each(two_pass_kernel, x, block)


def _a_row_each(kernel, x, block):
    x = as_matrix(x)
    n_rows, n_cols = x.shape
    y = torch.empty_like(x)
    block = block or min(BLOCK, triton.next_power_of_2(n_cols))
    sizes = {"BLOCK_SIZE": block, "num_warps": min(16, max(1, block // 1024))}
    kernel[(n_rows,)](y, x, y.stride(0), x.stride(0), n_cols, **sizes)
    return y
