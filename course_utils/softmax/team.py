"""Wide rows: a team of programs shares one row. Each keeps its part on the chip, so the row is read once.

A program posts its maximum and sum in a mailbox, as one 64-bit word so that nobody ever sees half a message, and looks until
the whole team has posted. Nothing promises that the others are running: a foreign kernel, another stream or a small partition
of the GPU may keep them out. So nobody looks for ever. Whoever has looked PATIENCE times reads the rest of the row for itself
and goes on: no member needs another to end, and so every launch ends.
"""

from ..backend import tl, triton
from .combine import (
    answer,
    as_int64,
    exponential,
    exponentials,
    finite,
    greatest,
    merge,
    total,
    wait_for_the_kernel_before,
)
from .ragged import body_of, ends_of

PATIENCE = 4096  # looks, of some 0.7 microseconds each: a thousand times what an exchange takes
SUM = tl.constexpr(1)  # above a posted sum, lest a sum of 0 be an empty mailbox; with 0 below it, what nobody posts
NOBODY = tl.constexpr(-(0x0080_0000 << 32))  # what one would post who holds nothing of the row: maximum -inf, sum 0


@triton.jit
def exchange(mailbox_ptr, part, word, nobody, TEAM: tl.constexpr, WARPS: tl.constexpr, PATIENCE: tl.constexpr):
    """Posts this program's word; returns the whole team's, `nobody` past them, and whether somebody is missing.

    An empty mailbox is 0, which no word is. The program looks as a whole, a thread at a message: so all its warps see the same,
    and go on together.
    """
    PLACES: tl.constexpr = max(triton.next_power_of_2(TEAM), 32 * WARPS)
    member = tl.arange(0, PLACES)
    of_team = mailbox_ptr + part // TEAM * TEAM + member
    tl.atomic_xchg(mailbox_ptr + part, word, sem="relaxed")
    looks = 0
    missing = True
    posted = tl.full((PLACES,), 0, tl.int64)
    while missing & (looks < PATIENCE):
        posted = tl.load(of_team, mask=member < TEAM, other=nobody, volatile=True)
        missing = tl.min((posted != 0).to(tl.int32), axis=0) == 0
        looks += 1
    return posted, missing


@triton.jit
def packed(m, s):
    """A pair as one word of 64 bits."""
    return (m.to(tl.int32, bitcast=True).to(tl.int64) << 32) | s.to(tl.uint32, bitcast=True).to(tl.int64)


@triton.jit
def unpacked(word):
    return (word >> 32).to(tl.int32).to(tl.float32, bitcast=True), word.to(tl.int32).to(tl.float32, bitcast=True)


@triton.jit
def pair_of_row(x_row, n_cols, BLOCK: tl.constexpr):
    """Maximum and sum of a whole row, read block by block."""
    m, s = -float("inf"), 0.0
    for start in tl.range(0, n_cols, BLOCK):
        c = start + tl.arange(0, BLOCK)
        x = tl.load(x_row + c, mask=c < n_cols, other=-float("inf")).to(tl.float32)
        m_block = tl.max(x, axis=0)
        m, s = merge(m, s, m_block, tl.sum(exponential(x, finite(m_block)), axis=0))
    return m, s


@triton.jit
def whole_team(mailbox_ptr, part, m, s, x_row, n_cols, TEAM: tl.constexpr, WARPS: tl.constexpr, PATIENCE: tl.constexpr):
    """Posts this program's maximum and sum; returns those of the row, which begins at `x_row`."""
    posted, missing = exchange(mailbox_ptr, part, packed(m, s), NOBODY, TEAM, WARPS, PATIENCE)
    ms, ss = unpacked(posted)
    m = tl.max(ms, axis=0)
    s = tl.sum(ss * exponential(ms, finite(m)), axis=0)
    if missing:
        m, s = pair_of_row(x_row, n_cols, 32 * WARPS)
    return finite(m), s


@triton.jit
def whole_sum(mailbox_ptr, part, s, TEAM: tl.constexpr, WARPS: tl.constexpr, PATIENCE: tl.constexpr):
    """Posts this program's sum; returns that of the row, and whether somebody is missing in it."""
    word = (SUM << 32) | s.to(tl.uint32, bitcast=True).to(tl.int64)
    posted, missing = exchange(mailbox_ptr, part, word, SUM << 32, TEAM, WARPS, PATIENCE)
    return tl.sum(posted.to(tl.int32).to(tl.float32, bitcast=True), axis=0), missing


@triton.jit
def row_of(
    y_ptr, x_ptr, part, y_stride, x_stride, n_cols, ALIGN: tl.constexpr, TEAM: tl.constexpr, RAGGED: tl.constexpr
):
    """Where the row of this part is read and written, its width, and what lies around it off the grid (see `ragged`)."""
    row = (part // TEAM).to(tl.int64)
    if RAGGED:
        first, last = row * n_cols, (row + 1) * n_cols
        body, body_end = body_of(first, last, ALIGN)
        until = tl.where(part % TEAM == 0, last, first)  # the first member looks after both ends
        ends, at_end = ends_of(tl.arange(0, 2 * ALIGN), first, body, body_end, until, ALIGN)
        return y_ptr + body, x_ptr + body, body_end - body, x_ptr + first, n_cols, ends, at_end
    else:
        x_row = x_ptr + row * (as_int64(x_stride) * ALIGN)
        return y_ptr + row * (as_int64(y_stride) * ALIGN), x_row, n_cols * ALIGN, x_row, n_cols * ALIGN, 0, False


@triton.jit
def team_kernel(
    y_ptr, x_ptr, mailbox_ptr, y_stride, x_stride, n_cols,
    ALIGN: tl.constexpr, TEAM: tl.constexpr, PIECES: tl.constexpr, PIECE: tl.constexpr, WARPS: tl.constexpr,
    PATIENCE: tl.constexpr, HINT: tl.constexpr, RAGGED: tl.constexpr, LOG: tl.constexpr, EARLY: tl.constexpr,
):  # fmt: skip
    part = tl.program_id(0)
    y_body, x_body, n_body, x_row, n_cols, ends, at_end = row_of(
        y_ptr, x_ptr, part, y_stride, x_stride, n_cols, ALIGN, TEAM, RAGGED
    )
    columns = part % TEAM * (PIECES * PIECE) + tl.arange(0, PIECE)
    wait_for_the_kernel_before(EARLY)
    pieces = ()
    for i in tl.static_range(PIECES):
        c = i * PIECE + columns
        x = tl.load(x_body + c, mask=c < n_body, other=-float("inf"), eviction_policy=HINT)
        pieces += (x.to(tl.float32),)
    m_part = tl.max(greatest(pieces, PIECES), axis=0)
    if RAGGED:
        x_ends = tl.load(x_ptr + ends, mask=at_end, other=-float("inf")).to(tl.float32)
        m_part = tl.maximum(m_part, tl.max(x_ends, axis=0))
    numerators = exponentials(pieces, finite(m_part), PIECES)
    s_part = tl.sum(total(numerators, PIECES), axis=0)
    if RAGGED:
        s_part += tl.sum(exponential(x_ends, finite(m_part)), axis=0)
    m, s = whole_team(mailbox_ptr, part, m_part, s_part, x_row, n_cols, TEAM, WARPS, PATIENCE)
    # This part's numerators are relative to its own maximum, and so must be the sum that divides them.
    s_above = s if LOG else s / exponential(m_part, m)
    for i in tl.static_range(PIECES):
        c = i * PIECE + columns
        y = answer(pieces[i], numerators[i], m, s_above, LOG)
        tl.store(y_body + c, y, mask=c < n_body, eviction_policy="evict_first")
    if RAGGED:
        tl.store(y_ptr + ends, answer(x_ends, exponential(x_ends, m), m, s, LOG), mask=at_end)
