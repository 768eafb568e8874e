"""Wide rows of 16-bit numbers: kept packed, two to a register, and raised to a power twice.

A row in flight costs registers, and a 16-bit element that becomes a float32 numerator doubles. Half as many rows fit, half as
many bytes are on their way, and the memory is no longer busy. Exponents are cheap by comparison: so keep the input as it
came, compute the numerators once for the sum, forget them, and compute them again for the answer. Only the last pieces keep
theirs, as far as there is room: they are written first, with nothing left to compute when the team has answered.
"""

from ...backend import tl, triton
from ..combine import exponential, finite, meet
from ..early import wait_for_the_kernel_before
from .ragged import meet_ends
from .team import my_part, rows_of, whole_team


@triton.jit
def unpack(words, BFLOAT: tl.constexpr):
    if BFLOAT:  # a bfloat16 is the upper half of a float32
        return (words << 16).to(tl.float32, bitcast=True), (words & -65536).to(tl.float32, bitcast=True)
    low, high = (words & 0xFFFF).to(tl.int16), (words >> 16).to(tl.int16)
    return low.to(tl.float16, bitcast=True).to(tl.float32), high.to(tl.float16, bitcast=True).to(tl.float32)


@triton.jit
def packed_kernel(
    y_ptr, x_ptr, mailbox_ptr, y_stride, x_stride, n_cols, zero,
    ALIGN: tl.constexpr, TEAM: tl.constexpr, PIECES: tl.constexpr, WARPS: tl.constexpr, LANES: tl.constexpr,
    ORDERED: tl.constexpr, RAGGED: tl.constexpr, KEPT: tl.constexpr, EARLY: tl.constexpr,
):  # fmt: skip
    BFLOAT: tl.constexpr = x_ptr.dtype.element_ty == tl.bfloat16
    PADDING: tl.constexpr = -8323200 if BFLOAT else -67044352  # two times -inf: 0xFF80FF80, 0xFC00FC00
    HALF: tl.constexpr = LANES // 2
    wait_for_the_kernel_before(EARLY)
    part = my_part(mailbox_ptr, ORDERED) if TEAM > 1 else tl.program_id(0)
    y_row, x_row, n_cols, ends, at_end = rows_of(y_ptr, x_ptr, part, y_stride, x_stride, n_cols, ALIGN, TEAM, RAGGED)
    n_words = n_cols // 2
    start = part % TEAM * (PIECES * WARPS * LANES)
    warp = tl.arange(0, WARPS)[:, None]
    words = start // 2 + warp * HALF + tl.arange(0, HALF)[None, :]
    words_ptr = x_row.to(tl.pointer_type(tl.int32))
    pieces = ()
    for i in tl.static_range(PIECES):
        c = i * WARPS * HALF + words
        pieces += (tl.load(words_ptr + c, mask=c < n_words, other=PADDING, eviction_policy="evict_last"),)
    if RAGGED:
        x_ends = tl.load(x_ptr + ends, mask=at_end, other=-float("inf")).to(tl.float32)

    low, high = unpack(pieces[0], BFLOAT)
    top = tl.maximum(low, high)
    for i in tl.static_range(1, PIECES):
        low, high = unpack(pieces[i], BFLOAT)
        top = tl.maximum(top, tl.maximum(low, high))
    m_warp = tl.max(top, axis=1)
    anchor = finite(m_warp)[:, None]
    # `zero` is 0, but the compiler cannot know. Else it would see the same unpacking three times, do it once and keep it.
    sums = tl.zeros_like(top)
    kept = ()
    for i in tl.static_range(PIECES):
        low, high = unpack(pieces[i] ^ zero, BFLOAT)
        low, high = exponential(low, anchor), exponential(high, anchor)
        sums += low + high
        if i >= PIECES - KEPT:
            kept += (tl.interleave(low, high),)
    m, s = tl.reduce((m_warp, tl.sum(sums, axis=1)), 0, meet)
    if RAGGED:
        m, s = meet_ends(m, s, x_ends)
    if TEAM > 1:
        m, s = whole_team(mailbox_ptr, part, m, s, TEAM, WARPS)
    m, scale = finite(m), 1.0 / s
    columns = start + warp * LANES + tl.arange(0, LANES)[None, :]
    scale_kept = (exponential(m_warp, m) * scale)[:, None]
    for i in tl.static_range(PIECES - KEPT, PIECES):
        c = i * WARPS * LANES + columns
        tl.store(y_row + c, kept[i - (PIECES - KEPT)] * scale_kept, mask=c < n_cols)
    for i in tl.static_range(PIECES - KEPT):
        low, high = unpack(pieces[i] ^ (zero * 2), BFLOAT)
        y = tl.interleave(exponential(low, m) * scale, exponential(high, m) * scale)
        c = i * WARPS * LANES + columns
        tl.store(y_row + c, y, mask=c < n_cols)
    if RAGGED:
        tl.store(y_ptr + ends, exponential(x_ends, m) * scale, mask=at_end)
