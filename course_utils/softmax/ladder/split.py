"""Rows of any width in two launches: the first finds the maximum and the sum of every part of a row, the second writes the answer."""

from ...backend import tl, triton
from ..combine import as_int64, exponential, finite, meet


@triton.jit
def parts_kernel(parts_ptr, x_ptr, x_stride, n_cols, ALIGN: tl.constexpr, PARTS: tl.constexpr, BLOCK: tl.constexpr,
                 ACC: tl.constexpr):  # fmt: skip
    n_cols, x_stride = as_int64(n_cols) * ALIGN, as_int64(x_stride) * ALIGN
    row, part = tl.program_id(0).to(tl.int64) // PARTS, tl.program_id(0) % PARTS
    m = tl.full((), -float("inf"), ACC)
    s = tl.full((), 0.0, ACC)
    for start in tl.range(part.to(tl.int64) * BLOCK, n_cols, PARTS * BLOCK):
        columns = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * x_stride + columns, mask=columns < n_cols, other=-float("inf")).to(ACC)
        m_block = tl.max(x, axis=0)
        m, s = meet(m, s, m_block, tl.sum(exponential(x, finite(m_block)), axis=0))
    tl.store(parts_ptr + (row * PARTS + part) * 2, m)
    tl.store(parts_ptr + (row * PARTS + part) * 2 + 1, s)


@triton.jit
def finish_kernel(y_ptr, x_ptr, parts_ptr, y_stride, x_stride, n_cols, ALIGN: tl.constexpr, PARTS: tl.constexpr,
                  BLOCK: tl.constexpr, ACC: tl.constexpr):  # fmt: skip
    n_cols, x_stride, y_stride = as_int64(n_cols) * ALIGN, as_int64(x_stride) * ALIGN, as_int64(y_stride) * ALIGN
    row, part = tl.program_id(0).to(tl.int64) // PARTS, tl.program_id(0) % PARTS
    k = (row * PARTS + tl.arange(0, PARTS)) * 2
    m_parts, s_parts = tl.load(parts_ptr + k), tl.load(parts_ptr + k + 1)
    m = finite(tl.max(m_parts, axis=0))
    s = tl.sum(s_parts * exponential(m_parts, m), axis=0)
    for start in tl.range(part.to(tl.int64) * BLOCK, n_cols, PARTS * BLOCK):
        columns = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * x_stride + columns, mask=columns < n_cols, other=-float("inf")).to(ACC)
        tl.store(y_ptr + row * y_stride + columns, exponential(x, m) / s, mask=columns < n_cols)
