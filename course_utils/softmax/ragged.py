"""Rows that start anywhere: a width of 781 puts three rows in four off the 16-byte grid, where only narrow loads may go.

So the row's ragged ends are peeled off. What lies between starts on the grid and is read and written 16 bytes at a time; the
few elements before and after it travel one by one. Input and output must be ragged alike: both dense, both starting on the grid.
"""

from ..backend import tl, triton


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
