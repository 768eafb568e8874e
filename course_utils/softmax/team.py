"""Wide rows: a team of programs shares one row. Each keeps its part on the chip, so the row is read once however wide it is.

A program posts its maximum and sum in a mailbox, as one 64-bit word so that nobody ever sees half a message, and waits until
the whole team has posted. Nobody waits in vain: parts are handed out by a counter, in the order in which programs really
start, so whoever waits, waits for programs that run already or start as soon as earlier rows are done.
"""

from ..backend import tl, triton
from .combine import exponential, exponentials, finite, greatest, meet, total, wide


@triton.jit
def my_part(mailbox_ptr, ORDERED: tl.constexpr):
    if ORDERED:  # all programs fit on the GPU at once: their own numbers will do
        return tl.program_id(0)
    counter = mailbox_ptr + tl.num_programs(0)
    return tl.atomic_add(counter, 1, sem="relaxed").to(tl.int32)


@triton.jit
def whole_team(mailbox_ptr, part, m, s, TEAM: tl.constexpr):
    """Posts this program's maximum and sum; returns those of the row. An empty mailbox is 0, which no message is."""
    word = (m.to(tl.int32, bitcast=True).to(tl.int64) << 32) | s.to(tl.uint32, bitcast=True).to(tl.int64)
    tl.atomic_xchg(mailbox_ptr + part, word, sem="relaxed")
    of_team = mailbox_ptr + part // TEAM * TEAM + tl.arange(0, TEAM)
    posted = tl.load(of_team, volatile=True)
    while tl.min((posted != 0).to(tl.int32), axis=0) == 0:
        posted = tl.load(of_team, volatile=True)
    ms = (posted >> 32).to(tl.int32).to(tl.float32, bitcast=True)
    ss = posted.to(tl.int32).to(tl.float32, bitcast=True)
    m = tl.max(ms, axis=0)
    return m, tl.sum(ss * exponential(ms, finite(m)), axis=0)


@triton.jit
def team_kernel(
    y_ptr, x_ptr, mailbox_ptr, y_stride, x_stride, n_cols,
    ALIGN: tl.constexpr, TEAM: tl.constexpr, PIECES: tl.constexpr, WARPS: tl.constexpr, LANES: tl.constexpr,
    ORDERED: tl.constexpr,
):  # fmt: skip
    n_cols, x_stride, y_stride = n_cols * ALIGN, wide(x_stride) * ALIGN, wide(y_stride) * ALIGN
    part = my_part(mailbox_ptr, ORDERED)
    row = (part // TEAM).to(tl.int64)
    columns = tl.arange(0, WARPS)[:, None] * LANES + tl.arange(0, LANES)[None, :]
    columns += part % TEAM * (PIECES * WARPS * LANES)
    pieces = ()
    for i in tl.static_range(PIECES):
        c = i * WARPS * LANES + columns
        x = tl.load(x_ptr + row * x_stride + c, mask=c < n_cols, other=-float("inf"), eviction_policy="evict_last")
        pieces += (x.to(tl.float32),)
    m_warp = tl.max(greatest(pieces, PIECES), axis=1)
    numerators = exponentials(pieces, finite(m_warp)[:, None], PIECES)
    s_warp = tl.sum(total(numerators, PIECES), axis=1)
    m_part, s_part = tl.reduce((m_warp, s_warp), 0, meet)
    m, s = whole_team(mailbox_ptr, part, m_part, s_part, TEAM)
    scale = (exponential(m_warp, finite(m)) / s)[:, None]
    for i in tl.static_range(PIECES):
        c = i * WARPS * LANES + columns
        tl.store(y_ptr + row * y_stride + c, numerators[i] * scale, mask=c < n_cols)
