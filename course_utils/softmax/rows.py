"""Rows that one program can hold: each is read once, kept in registers, and written once.

A program takes ROWS rows side by side. A row comes in as many pieces as it needs: a block is a power of two, a row seldom is.
"""

from ..backend import tl, triton
from .combine import answer, as_int64, exponentials, finite, greatest, total
from .early import wait_for_the_kernel_before


@triton.jit
def rows_kernel(
    y_ptr, x_ptr, y_stride, x_stride, n_rows, n_cols,
    ALIGN: tl.constexpr, ROWS: tl.constexpr, PIECES: tl.constexpr, PIECE: tl.constexpr, ACC: tl.constexpr,
    HINT: tl.constexpr, LOG: tl.constexpr, EARLY: tl.constexpr,
):  # fmt: skip
    # The sizes arrive divided by ALIGN. Multiplied here, the compiler knows what they are divisible by: wide loads.
    n_cols, x_stride, y_stride = n_cols * ALIGN, as_int64(x_stride) * ALIGN, as_int64(y_stride) * ALIGN
    row = tl.program_id(0).to(tl.int64) * ROWS + tl.arange(0, ROWS)[:, None]
    mine = tl.minimum(row, n_rows - 1)  # past the last row: read that one again, and write nothing
    columns = tl.arange(0, PIECE)[None, :]
    wait_for_the_kernel_before(EARLY)
    pieces = ()
    for i in tl.static_range(PIECES):
        c = i * PIECE + columns
        x = tl.load(x_ptr + mine * x_stride + c, mask=c < n_cols, other=-float("inf"), eviction_policy=HINT)
        pieces += (x.to(ACC),)
    m = finite(tl.max(greatest(pieces, PIECES), axis=1))[:, None]
    numerators = exponentials(pieces, m, PIECES)
    s = tl.sum(total(numerators, PIECES), axis=1)[:, None]
    for i in tl.static_range(PIECES):
        c = i * PIECE + columns
        y = answer(pieces[i], numerators[i], m, s, LOG)
        tl.store(y_ptr + row * y_stride + c, y, mask=(c < n_cols) & (row < n_rows), eviction_policy="evict_first")
