"""Wide rows: a team of programs shares one row. Each keeps its part on the chip, so the row is read once.

A program posts its maximum and sum in a mailbox, as one 64-bit word so that nobody ever sees half a message, and waits until
the whole team has posted. Nobody waits in vain: parts are handed out by a counter, in the order in which programs really
start, so whoever waits, waits for programs that run already or start as soon as earlier rows are done. What other kernels
leave of the GPU must still hold a team, so there is a largest one (see `choose`); wider rows are read twice (see `split`).
Four kernels of the largest teams can wait side by side. More at once, on as many streams, could in theory keep each other's
members out, as could a foreign kernel that never ends. The next kernel of the same stream cannot, though it may start early:
it is let in when every program of this one has begun, so nobody here waits for a place any more.
"""

from ...backend import tl, triton
from ..combine import as_int64, exponential, exponentials, finite, greatest, meet, total
from ..early import wait_for_the_kernel_before
from .ragged import body_of, ends_of, meet_ends

SUM = tl.constexpr(
    1
)  # above a posted sum, lest a sum of 0 be an empty mailbox; with 0 below it, what a place past the team posts
NOBODY = tl.constexpr(-(0x0080_0000 << 32))  # what one would post who holds nothing of the row: maximum -inf, sum 0


@triton.jit
def my_part(mailbox_ptr, ORDERED: tl.constexpr):
    if ORDERED:  # all programs fit on the GPU at once: their own numbers will do
        return tl.program_id(0)
    counter = mailbox_ptr + tl.num_programs(0)
    return tl.atomic_add(counter, 1, sem="relaxed").to(tl.int32)


@triton.jit
def exchange(mailbox_ptr, part, word, nobody, TEAM: tl.constexpr, WARPS: tl.constexpr):
    """Posts this program's word; returns those of the whole team, and `nobody` past them. An empty mailbox is 0, which no word is."""
    # Two warps that look at the same message may not see the same. So each looks at all of them by itself, or, where they
    # are too many for one warp, every thread at messages of its own.
    AT_LEAST: tl.constexpr = 1 if TEAM <= 32 else 32 * WARPS
    PLACES: tl.constexpr = max(triton.next_power_of_2(TEAM), AT_LEAST)
    tl.atomic_xchg(mailbox_ptr + part, word, sem="relaxed")
    member = tl.arange(0, PLACES)
    of_team = mailbox_ptr + part // TEAM * TEAM + member
    posted = tl.load(of_team, mask=member < TEAM, other=nobody, volatile=True)
    while tl.min((posted != 0).to(tl.int32), axis=0) == 0:
        posted = tl.load(of_team, mask=member < TEAM, other=nobody, volatile=True)
    return posted


@triton.jit
def whole_team(mailbox_ptr, part, m, s, TEAM: tl.constexpr, WARPS: tl.constexpr):
    """Posts this program's maximum and sum; returns those of the row."""
    word = (m.to(tl.int32, bitcast=True).to(tl.int64) << 32) | s.to(tl.uint32, bitcast=True).to(tl.int64)
    posted = exchange(mailbox_ptr, part, word, NOBODY, TEAM, WARPS)
    ms = (posted >> 32).to(tl.int32).to(tl.float32, bitcast=True)
    ss = posted.to(tl.int32).to(tl.float32, bitcast=True)
    m = tl.max(ms, axis=0)
    return m, tl.sum(ss * exponential(ms, finite(m)), axis=0)


@triton.jit
def whole_sum(mailbox_ptr, part, s, TEAM: tl.constexpr, WARPS: tl.constexpr):
    """Posts this program's sum; returns that of the row."""
    word = (SUM << 32) | s.to(tl.uint32, bitcast=True).to(tl.int64)
    posted = exchange(mailbox_ptr, part, word, SUM << 32, TEAM, WARPS)
    return tl.sum(posted.to(tl.int32).to(tl.float32, bitcast=True), axis=0)


@triton.jit
def rows_of(
    y_ptr, x_ptr, part, y_stride, x_stride, n_cols, ALIGN: tl.constexpr, TEAM: tl.constexpr, RAGGED: tl.constexpr
):
    """Where the row of this part is read and written, how wide it is, and what lies around it off the grid (see `ragged`)."""
    row = (part // TEAM).to(tl.int64)
    if RAGGED:
        first, last = row * n_cols, (row + 1) * n_cols
        body, body_end = body_of(first, last, ALIGN)
        mine = tl.where(part % TEAM == 0, last, first)  # the first part looks after both ends
        ends, at_end = ends_of(first, body, body_end, mine, ALIGN)
        return y_ptr + body, x_ptr + body, body_end - body, ends, at_end
    else:
        return (
            y_ptr + row * (as_int64(y_stride) * ALIGN),
            x_ptr + row * (as_int64(x_stride) * ALIGN),
            n_cols * ALIGN,
            0,
            False,
        )


@triton.jit
def team_kernel(
    y_ptr, x_ptr, mailbox_ptr, y_stride, x_stride, n_cols,
    ALIGN: tl.constexpr, TEAM: tl.constexpr, PIECES: tl.constexpr, WARPS: tl.constexpr, LANES: tl.constexpr,
    ORDERED: tl.constexpr, RAGGED: tl.constexpr, EARLY: tl.constexpr,
):  # fmt: skip
    wait_for_the_kernel_before(EARLY)
    part = my_part(mailbox_ptr, ORDERED)
    y_row, x_row, n_cols, ends, at_end = rows_of(y_ptr, x_ptr, part, y_stride, x_stride, n_cols, ALIGN, TEAM, RAGGED)
    columns = tl.arange(0, WARPS)[:, None] * LANES + tl.arange(0, LANES)[None, :]
    columns += part % TEAM * (PIECES * WARPS * LANES)
    pieces = ()
    for i in tl.static_range(PIECES):
        c = i * WARPS * LANES + columns
        x = tl.load(x_row + c, mask=c < n_cols, other=-float("inf"), eviction_policy="evict_last")
        pieces += (x.to(tl.float32),)
    if RAGGED:
        x_ends = tl.load(x_ptr + ends, mask=at_end, other=-float("inf")).to(tl.float32)

    m_warp = tl.max(greatest(pieces, PIECES), axis=1)
    numerators = exponentials(pieces, finite(m_warp)[:, None], PIECES)
    s_warp = tl.sum(total(numerators, PIECES), axis=1)
    m_part, s_part = tl.reduce((m_warp, s_warp), 0, meet)
    if RAGGED:
        m_part, s_part = meet_ends(m_part, s_part, x_ends)
    m, s = whole_team(mailbox_ptr, part, m_part, s_part, TEAM, WARPS)

    scale = (exponential(m_warp, finite(m)) / s)[:, None]
    for i in tl.static_range(PIECES):
        c = i * WARPS * LANES + columns
        tl.store(y_row + c, numerators[i] * scale, mask=c < n_cols)
    if RAGGED:
        tl.store(y_ptr + ends, exponential(x_ends, finite(m)) / s, mask=at_end)
