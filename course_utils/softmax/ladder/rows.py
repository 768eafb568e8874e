"""Rows that one program can hold: each is read once, kept in registers, and written once.

A program takes ROWS rows, with WARPS warps for each. Narrow rows fit one warp, which waits for nobody. Wider ones take several:
each keeps a maximum and a sum of its own, and they meet once, at the end. (The usual kernel makes them wait twice, for the
maximum and then for the sum.) A row comes in as many pieces as it needs: a block is a power of two, a row seldom is.
"""

from ...backend import tl, triton
from ..combine import as_int64, exponential, exponentials, finite, greatest, meet, total
from ..early import wait_for_the_kernel_before


@triton.jit
def rows_kernel(
    y_ptr, x_ptr, y_stride, x_stride, n_rows, n_cols,
    ALIGN: tl.constexpr, ROWS: tl.constexpr, PIECES: tl.constexpr, WARPS: tl.constexpr, LANES: tl.constexpr,
    ACC: tl.constexpr, HINT: tl.constexpr, EARLY: tl.constexpr,
):  # fmt: skip
    # The sizes arrive divided by ALIGN. Multiplied here, the compiler knows what they are divisible by: wide loads.
    n_cols, x_stride, y_stride = n_cols * ALIGN, as_int64(x_stride) * ALIGN, as_int64(y_stride) * ALIGN
    row = tl.program_id(0).to(tl.int64) * ROWS + tl.arange(0, ROWS)[:, None, None]
    mine = tl.minimum(row, n_rows - 1)  # past the last row: read that one again, and write nothing
    columns = tl.arange(0, WARPS)[None, :, None] * LANES + tl.arange(0, LANES)[None, None, :]
    wait_for_the_kernel_before(EARLY)
    pieces = ()
    for i in tl.static_range(PIECES):
        c = i * WARPS * LANES + columns
        x = tl.load(x_ptr + mine * x_stride + c, mask=c < n_cols, other=-float("inf"), eviction_policy=HINT)
        pieces += (x.to(ACC),)
    m_warp = tl.max(greatest(pieces, PIECES), axis=2)
    numerators = exponentials(pieces, finite(m_warp)[:, :, None], PIECES)
    s_warp = tl.sum(total(numerators, PIECES), axis=2)
    if WARPS > 1:
        m, s = tl.reduce((m_warp, s_warp), 1, meet)
        scale = (exponential(m_warp, finite(m)[:, None]) / s[:, None])[:, :, None]
    else:
        scale = (1.0 / s_warp)[:, :, None]
    for i in tl.static_range(PIECES):
        c = i * WARPS * LANES + columns
        tl.store(y_ptr + row * y_stride + c, numerators[i] * scale, mask=(c < n_cols) & (row < n_rows))
