"""Rows of any width on a few cores: each takes one row in so many, and a row block by block, in two rounds: first for its
maximum and sum, then for the answer."""

from ..backend import tl, triton
from .combine import answer, exponential, finite, merge


@triton.jit
def blocked_kernel(
    y_ptr, x_ptr, y_stride, x_stride, n_rows, n_cols, BLOCK_SIZE: tl.constexpr, LOG: tl.constexpr = False
):
    for row in tl.range(tl.program_id(0).to(tl.int64), n_rows, tl.num_programs(0)):
        m = tl.full((), -float("inf"), tl.float32)
        s = tl.full((), 0.0, tl.float32)
        for start in tl.range(0, n_cols, BLOCK_SIZE):
            columns = start + tl.arange(0, BLOCK_SIZE)
            x = tl.load(x_ptr + row * x_stride + columns, mask=columns < n_cols, other=-float("inf")).to(tl.float32)
            m_block = tl.max(x, axis=0)
            m, s = merge(m, s, m_block, tl.sum(exponential(x, finite(m_block)), axis=0))
        for start in tl.range(0, n_cols, BLOCK_SIZE):
            columns = start + tl.arange(0, BLOCK_SIZE)
            x = tl.load(x_ptr + row * x_stride + columns, mask=columns < n_cols, other=-float("inf")).to(tl.float32)
            y = answer(x, exponential(x, finite(m)), m, s, LOG)
            tl.store(y_ptr + row * y_stride + columns, y, mask=columns < n_cols)
