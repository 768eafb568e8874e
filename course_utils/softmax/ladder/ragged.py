"""Rows that start anywhere: a width of 781 puts three rows in four off the 16-byte grid, where only narrow loads may go.

So the row's ragged ends are peeled off. What lies between starts on the grid and is read and written 16 bytes at a time; the
few elements before and after it travel one by one. Input and output must be ragged alike: both dense, both starting on the grid.
"""

from ...backend import tl, triton
from ..combine import exponential, exponentials, finite, greatest, meet, total
from ..early import wait_for_the_kernel_before


@triton.jit
def body_of(first, last, VECTOR: tl.constexpr):
    """Where the body of a row begins and ends that reaches from `first` to before `last`."""
    body = (first + VECTOR - 1) // VECTOR * VECTOR
    return body, tl.maximum(last // VECTOR * VECTOR, body)


@triton.jit
def ends_of(first, body, body_end, last, VECTOR: tl.constexpr):
    """Where the elements around the body lie, and which of them there are: fewer than VECTOR before it, fewer than VECTOR after it."""
    k = tl.arange(0, 2 * VECTOR)
    ends = tl.where(k < VECTOR, first + k, body_end + k - VECTOR)
    return ends, (ends < last) & ((k >= VECTOR) | (ends < body))


@triton.jit
def meet_ends(m, s, x_ends):
    m_ends = tl.max(x_ends, axis=0)
    return meet(m, s, m_ends, tl.sum(exponential(x_ends, finite(m_ends)), axis=0))


@triton.jit
def ragged_kernel(
    y_ptr, x_ptr, n_cols,
    VECTOR: tl.constexpr, PIECES: tl.constexpr, WARPS: tl.constexpr, LANES: tl.constexpr,
    HINT: tl.constexpr, EARLY: tl.constexpr,
):  # fmt: skip
    first = tl.program_id(0).to(tl.int64) * n_cols
    last = first + n_cols
    body, body_end = body_of(first, last, VECTOR)
    ends, at_end = ends_of(first, body, body_end, last, VECTOR)
    columns = body + tl.arange(0, WARPS)[:, None] * LANES + tl.arange(0, LANES)[None, :]
    wait_for_the_kernel_before(EARLY)
    pieces = ()
    for i in tl.static_range(PIECES):
        c = i * WARPS * LANES + columns
        x = tl.load(x_ptr + c, mask=c < body_end, other=-float("inf"), eviction_policy=HINT)
        pieces += (x.to(tl.float32),)
    x_ends = tl.load(x_ptr + ends, mask=at_end, other=-float("inf")).to(tl.float32)

    m_warp = tl.max(greatest(pieces, PIECES), axis=1)
    numerators = exponentials(pieces, finite(m_warp)[:, None], PIECES)
    s_warp = tl.sum(total(numerators, PIECES), axis=1)
    m_body, s_body = tl.reduce((m_warp, s_warp), 0, meet)
    m, s = meet_ends(m_body, s_body, x_ends)

    scale = (exponential(m_warp, finite(m)) / s)[:, None]
    for i in tl.static_range(PIECES):
        c = i * WARPS * LANES + columns
        tl.store(y_ptr + c, numerators[i] * scale, mask=c < body_end)
    tl.store(y_ptr + ends, exponential(x_ends, finite(m)) / s, mask=at_end)
