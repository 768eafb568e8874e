"""Rows that start anywhere: a width of 781 puts three rows in four off the 16-byte grid, where only narrow loads may go.

So the row's ragged ends are peeled off. What lies between starts on the grid and is read and written 16 bytes at a time; the
few elements before and after it travel one by one. Input and output must be ragged alike: both dense, both starting on the grid.
"""

from ..backend import tl, triton
from .combine import answer, exponential, exponentials, finite, greatest, total
from .early import wait_for_the_kernel_before


@triton.jit
def body_of(first, last, VECTOR: tl.constexpr):
    """Where the body of a row begins and ends that reaches from `first` to before `last`."""
    body = (first + VECTOR - 1) // VECTOR * VECTOR
    return body, tl.maximum(last // VECTOR * VECTOR, body)


@triton.jit
def ends_of(k, first, body, body_end, last, VECTOR: tl.constexpr):
    """Where the elements around the body lie, and which of them there are: fewer than VECTOR before it, fewer than VECTOR after."""
    ends = tl.where(k < VECTOR, first + k, body_end + k - VECTOR)
    return ends, (ends < last) & ((k >= VECTOR) | (ends < body))


@triton.jit
def ragged_kernel(
    y_ptr, x_ptr, n_rows, n_cols,
    VECTOR: tl.constexpr, ROWS: tl.constexpr, PIECES: tl.constexpr, PIECE: tl.constexpr,
    HINT: tl.constexpr, LOG: tl.constexpr, EARLY: tl.constexpr,
):  # fmt: skip
    # Past the last row a program does that one again: the same numbers in the same places.
    row = tl.minimum(tl.program_id(0).to(tl.int64) * ROWS + tl.arange(0, ROWS)[:, None], n_rows - 1)
    first, last = row * n_cols, (row + 1) * n_cols
    body, body_end = body_of(first, last, VECTOR)
    ends, at_end = ends_of(tl.arange(0, 2 * VECTOR)[None, :], first, body, body_end, last, VECTOR)
    columns = body + tl.arange(0, PIECE)[None, :]
    wait_for_the_kernel_before(EARLY)
    x_ends = tl.load(x_ptr + ends, mask=at_end, other=-float("inf")).to(tl.float32)
    pieces = ()
    for i in tl.static_range(PIECES):
        c = i * PIECE + columns
        x = tl.load(x_ptr + c, mask=c < body_end, other=-float("inf"), eviction_policy=HINT)
        pieces += (x.to(tl.float32),)
    m = finite(tl.maximum(tl.max(greatest(pieces, PIECES), axis=1), tl.max(x_ends, axis=1)))[:, None]
    numerators, at_ends = exponentials(pieces, m, PIECES), exponential(x_ends, m)
    s = (tl.sum(total(numerators, PIECES), axis=1) + tl.sum(at_ends, axis=1))[:, None]
    for i in tl.static_range(PIECES):
        c = i * PIECE + columns
        y = answer(pieces[i], numerators[i], m, s, LOG)
        tl.store(y_ptr + c, y, mask=c < body_end, eviction_policy="evict_first")
    tl.store(y_ptr + ends, answer(x_ends, at_ends, m, s, LOG), mask=at_end)
