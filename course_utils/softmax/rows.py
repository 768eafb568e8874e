"""Rows that one program can hold: each is read once, kept in registers, and written once.

A program takes ROWS rows side by side. A row comes in as many pieces as it needs: a block is a power of two, a row seldom is.
Where rows start off the 16-byte grid, their ends are peeled (see `ragged`). Notebook 07 builds this kernel a change at a time.
"""

from ..backend import tl, triton
from .combine import answer, as_int64, exponential, exponentials, greatest, total, wait_for_the_kernel_before
from .ragged import body_of, ends_of


@triton.jit
def rows_kernel(
    y_ptr, x_ptr, y_stride, x_stride, n_rows, n_cols,
    ALIGN: tl.constexpr, VECTOR: tl.constexpr, ROWS: tl.constexpr, PIECES: tl.constexpr, PIECE: tl.constexpr,
    ACC: tl.constexpr, HINT: tl.constexpr, LOG: tl.constexpr, EARLY: tl.constexpr,
):  # fmt: skip
    # The sizes arrive divided by ALIGN. Multiplied here, the compiler knows what they are divisible by: wide loads.
    n_cols, x_stride, y_stride = n_cols * ALIGN, as_int64(x_stride) * ALIGN, as_int64(y_stride) * ALIGN
    first = tl.program_id(0).to(tl.int64) * ROWS
    left, k = tl.minimum(n_rows - first, ROWS).to(tl.int32), tl.arange(0, ROWS)[:, None]
    row = first + tl.minimum(k, left - 1)  # past the last row: read that one again, and write nothing
    x_first, y_first, width = row * x_stride, row * y_stride, n_cols
    columns = tl.arange(0, PIECE)[None, :]
    wait_for_the_kernel_before(EARLY)
    if VECTOR:
        last = x_first + n_cols
        body, body_end = body_of(x_first, last, VECTOR)
        ends, at_end = ends_of(tl.arange(0, 2 * VECTOR)[None, :], x_first, body, body_end, last, VECTOR)
        x_ends = tl.load(x_ptr + ends, mask=at_end, other=-float("inf")).to(ACC)
        x_first, y_first, width = body, body, (body_end - body).to(tl.int32)
    pieces = ()
    for i in tl.static_range(PIECES):
        c = i * PIECE + columns
        x = tl.load(x_ptr + x_first + c, mask=c < width, other=-float("inf"), eviction_policy=HINT)
        pieces += (x.to(ACC),)
    m = tl.max(greatest(pieces, PIECES), axis=1)[:, None]
    if VECTOR:
        m = tl.maximum(m, tl.max(x_ends, axis=1)[:, None])
    numerators = exponentials(pieces, m, PIECES)
    s = tl.sum(total(numerators, PIECES), axis=1)[:, None]
    if VECTOR:
        at_ends = exponential(x_ends, m)
        s += tl.sum(at_ends, axis=1)[:, None]
        tl.store(y_ptr + ends, answer(x_ends, at_ends, m, s, LOG), mask=at_end)
    for i in tl.static_range(PIECES):
        c = i * PIECE + columns
        y = answer(pieces[i], numerators[i], m, s, LOG)
        tl.store(y_ptr + y_first + c, y, mask=(c < width) & (k < left), eviction_policy="evict_first")
