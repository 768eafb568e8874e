"""Pieces instead of padding: what one warp reads at once is a block, and a row takes as many as it needs."""

from ...backend import tl, triton
from ..combine import greatest, total


@triton.jit
def pieces_kernel(
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
    m = tl.max(tl.max(greatest(pieces, PIECES), axis=2), axis=1)
    numerators = ()
    for i in tl.static_range(PIECES):
        numerators += (tl.exp(pieces[i] - m[:, None, None]),)
    s = tl.sum(tl.sum(total(numerators, PIECES), axis=2), axis=1)
    for i in tl.static_range(PIECES):
        c = i * WARPS * LANES + columns
        tl.store(y_ptr + row * y_stride + c, numerators[i] / s[:, None, None], mask=(c < n_cols) & (row < n_rows))
