"""One meeting instead of two: each warp keeps a pair (m, s) of its own, and the pairs are merged once, at the end."""

from ...backend import tl, triton
from ..combine import finite, greatest, total
from ..two_passes import merge


@triton.jit
def meeting_kernel(
    y_ptr, x_ptr, y_stride, x_stride, n_rows, n_cols,
    ROWS: tl.constexpr, PIECES: tl.constexpr, WARPS: tl.constexpr, LANES: tl.constexpr,
):  # fmt: skip
    row = tl.program_id(0).to(tl.int64) * ROWS + tl.arange(0, ROWS)[:, None, None]
    mine = tl.minimum(row, n_rows - 1)  # past the last row: read that one again, and write nothing
    columns = tl.arange(0, WARPS)[None, :, None] * LANES + tl.arange(0, LANES)[None, None, :]
    pieces = ()
    for i in tl.static_range(PIECES):
        c = i * WARPS * LANES + columns
        x = tl.load(x_ptr + mine * x_stride + c, mask=c < n_cols, other=-float("inf"))
        pieces += (x.to(tl.float32),)
    m_warp = tl.max(greatest(pieces, PIECES), axis=2)
    numerators = ()
    for i in tl.static_range(PIECES):
        numerators += (tl.exp(pieces[i] - finite(m_warp)[:, :, None]),)
    s_warp = tl.sum(total(numerators, PIECES), axis=2)
    m, s = tl.reduce((m_warp, s_warp), 1, merge)
    repair = tl.exp(m_warp - finite(m)[:, None])
    for i in tl.static_range(PIECES):
        c = i * WARPS * LANES + columns
        y = numerators[i] * repair[:, :, None] / s[:, None, None]
        tl.store(y_ptr + row * y_stride + c, y, mask=(c < n_cols) & (row < n_rows))
