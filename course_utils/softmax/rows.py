"""Narrow rows: several a program, each inside one warp, so that no warp ever waits for another."""

from ..backend import tl, triton
from .combine import exponentials, greatest, total, wide


@triton.jit
def rows_kernel(
    y_ptr, x_ptr, y_stride, x_stride, n_rows, n_cols,
    ALIGN: tl.constexpr, ROWS: tl.constexpr, PIECES: tl.constexpr, PIECE: tl.constexpr, ACC: tl.constexpr,
):  # fmt: skip
    # The sizes arrive divided by ALIGN. Multiplied here, the compiler knows what they are divisible by: wide loads.
    n_cols, x_stride, y_stride = n_cols * ALIGN, wide(x_stride) * ALIGN, wide(y_stride) * ALIGN
    row = tl.program_id(0).to(tl.int64) * ROWS + tl.arange(0, ROWS)[:, None]
    mine = tl.minimum(row, n_rows - 1)  # past the last row: read that one again, and write nothing
    columns = tl.arange(0, PIECE)[None, :]
    pieces = ()
    for i in tl.static_range(PIECES):
        c = i * PIECE + columns
        x = tl.load(x_ptr + mine * x_stride + c, mask=c < n_cols, other=-float("inf"), eviction_policy="evict_last")
        pieces += (x.to(ACC),)
    m = tl.max(greatest(pieces, PIECES), axis=1)[:, None]
    numerators = exponentials(pieces, m, PIECES)
    scale = (1.0 / tl.sum(total(numerators, PIECES), axis=1))[:, None]
    for i in tl.static_range(PIECES):
        c = i * PIECE + columns
        tl.store(y_ptr + row * y_stride + c, numerators[i] * scale, mask=(c < n_cols) & (row < n_rows))
