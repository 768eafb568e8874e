"""Rows that start anywhere: a width of 781 puts three rows in four off the 16-byte grid, where only narrow loads may go.

So the row's ragged ends are peeled off. What lies between starts on the grid and is read and written 16 bytes at a time; the
few elements before and after it travel one by one. Input and output must be ragged alike: both dense, both starting on the grid.
"""

from ..backend import tl, triton
from .combine import exponential, exponentials, finite, greatest, meet, total


@triton.jit
def ragged_kernel(
    y_ptr, x_ptr, n_cols,
    GRID: tl.constexpr, PIECES: tl.constexpr, WARPS: tl.constexpr, LANES: tl.constexpr, ACC: tl.constexpr,
):  # fmt: skip
    first = tl.program_id(0).to(tl.int64) * n_cols
    last = first + n_cols
    body = (first + GRID - 1) // GRID * GRID
    body_end = tl.maximum(last // GRID * GRID, body)
    columns = body + tl.arange(0, WARPS)[:, None] * LANES + tl.arange(0, LANES)[None, :]
    k = tl.arange(0, 2 * GRID)  # fewer than GRID elements before the body, fewer than GRID after it
    ends = tl.where(k < GRID, first + k, body_end + k - GRID)
    at_end = (ends < last) & ((k >= GRID) | (ends < body))

    pieces = ()
    for i in tl.static_range(PIECES):
        c = i * WARPS * LANES + columns
        x = tl.load(x_ptr + c, mask=c < body_end, other=-float("inf"), eviction_policy="evict_last")
        pieces += (x.to(ACC),)
    x_ends = tl.load(x_ptr + ends, mask=at_end, other=-float("inf")).to(ACC)

    m_warp = tl.max(greatest(pieces, PIECES), axis=1)
    numerators = exponentials(pieces, finite(m_warp)[:, None], PIECES)
    s_warp = tl.sum(total(numerators, PIECES), axis=1)
    m_ends = tl.max(x_ends, axis=0)
    numerator_ends = exponential(x_ends, finite(m_ends))
    m_body, s_body = tl.reduce((m_warp, s_warp), 0, meet)
    m, s = meet(m_body, s_body, m_ends, tl.sum(numerator_ends, axis=0))

    scale = (exponential(m_warp, finite(m)) / s)[:, None]
    for i in tl.static_range(PIECES):
        c = i * WARPS * LANES + columns
        tl.store(y_ptr + c, numerators[i] * scale, mask=c < body_end)
    tl.store(y_ptr + ends, numerator_ends * (exponential(m_ends, finite(m)) / s), mask=at_end)
