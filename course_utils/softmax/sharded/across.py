"""One kernel: ranks exchange their pairs without leaving it, so every column is read once.

A program holds its part of a row, posts maximum and sum in the mailbox of every rank (over NVLink), and waits until the programs of
all ranks that share the row have posted in its own. That is 09's team, with members on other GPUs.

What is announced is the word itself, 64 bits that arrive whole, and no other memory: so no release and no acquire, but system
scope, for the reader sits on another GPU. Waiting is safe because parts are dealt out by a counter, in the order in which programs
really start. Of all rows that somebody still waits for, take the first: on every rank everything before it is done, so its programs
run or are next, and a team never exceeds what fits on a GPU. They wait for nobody else, and so the row ends, and the next.
What other kernels leave of each GPU must hold a team, and each rank must get to this call: see `sharded`.

Who waits in vain for the time limit says so, on the device, where later programs read it and wait no more, and on the host, where
the next call raises. Its rows are NaN.
"""

import torch

from ...backend import tl, triton
from .. import choose, tiles
from ..combine import as_int64, exponential, finite, meet
from ..early import wait_for_the_kernel_before
from ..launch import quiet
from . import mailboxes
from .pairs import from_sum, result

NOBODY = tl.constexpr(-(0x0080_0000 << 32))  # what one would post who holds nothing of the row: maximum -inf, sum 0
USE = tl.constexpr(1 << 31)  # a sum's sign bit, which it never needs
LINE = tl.constexpr(mailboxes.LINE)
POLLS = 1_000_000  # a second, about


@triton.jit
def words_of(addresses, rank):
    """Where the mailboxes of a rank begin."""
    return tl.load(addresses.to(tl.pointer_type(tl.int64)) + rank).to(tl.pointer_type(tl.int64))


@triton.jit
def whole_row(
    addresses, mine, start, call, part, m, s, late_ptr, polls,
    RANK: tl.constexpr, RANKS: tl.constexpr, TEAM: tl.constexpr, WARPS: tl.constexpr,
):  # fmt: skip
    """Posts this program's maximum and sum to every rank; returns those of the row."""
    # As in `team.exchange`: each warp looks at all messages by itself, a lane at one, or every thread at messages of its own.
    MEMBERS: tl.constexpr = RANKS * TEAM
    AT_LEAST: tl.constexpr = 32 if MEMBERS <= 32 else 32 * WARPS
    PLACES: tl.constexpr = max(triton.next_power_of_2(MEMBERS), AT_LEAST)
    programs = tl.num_programs(0)
    box = start + LINE + (call & 1) * programs * RANKS
    use = ((call >> 1) + 1 & 1) << 31
    low = s.to(tl.int32, bitcast=True).to(tl.int64) & (USE - 1) | use
    word = (m.to(tl.int32, bitcast=True).to(tl.int64) << 32) | low
    for i in tl.static_range(1, RANKS + 1):
        theirs = words_of(addresses, (RANK + i) % RANKS)
        tl.atomic_xchg(theirs + box + RANK * programs + part, word, sem="relaxed", scope="sys")

    k = tl.arange(0, PLACES)
    of_row = mine + box + k // TEAM * programs + part // TEAM * TEAM + k % TEAM
    in_vain = tl.max(tl.load(mine + k * 0, volatile=True), axis=0)  # the same for all who leave the loop together
    polls = tl.where(in_vain == 0, polls, 0)
    posted = tl.load(of_row, mask=k < MEMBERS, other=NOBODY | use, volatile=True)
    while (tl.max((posted & USE) ^ use, axis=0) != 0) & (polls > 0):
        posted = tl.load(of_row, mask=k < MEMBERS, other=NOBODY | use, volatile=True)
        polls -= 1
    missing = (posted & USE) != use
    # Each thread says so by itself: of the warps that look by themselves one may have waited in vain, and another not.
    nobody_came = (tl.zeros((32 * WARPS,), tl.int32) + tl.max(missing.to(tl.int32), axis=0)) != 0
    everywhere = tl.zeros((32 * WARPS,), tl.int32)
    tl.store(mine + everywhere, 1, mask=nobody_came)
    tl.store(late_ptr + everywhere, 1, mask=nobody_came)

    ms = (posted >> 32).to(tl.int32).to(tl.float32, bitcast=True)
    ss = (posted & (USE - 1)).to(tl.int32).to(tl.float32, bitcast=True)
    m = tl.max(ms, axis=0)
    return m, tl.sum(tl.where(missing, float("nan"), ss * exponential(ms, finite(m))), axis=0)


@triton.jit
def unpack(words, BFLOAT: tl.constexpr):
    if BFLOAT:  # a bfloat16 is the upper half of a float32
        return (words << 16).to(tl.float32, bitcast=True), (words & -65536).to(tl.float32, bitcast=True)
    low, high = (words & 0xFFFF).to(tl.int16), (words >> 16).to(tl.int16)
    return low.to(tl.float16, bitcast=True).to(tl.float32), high.to(tl.float16, bitcast=True).to(tl.float32)


@triton.jit
def number(piece, HALF: tl.constexpr, PACKED: tl.constexpr, BFLOAT: tl.constexpr):
    """The numbers of a piece, or one of the two in each word of a packed piece."""
    if PACKED:
        low, high = unpack(piece, BFLOAT)
        return high if HALF else low
    else:
        return piece


@triton.jit
def across_kernel(
    y_ptr, x_ptr, mine, late_ptr, addresses, start, y_stride, x_stride, n_cols, polls, zero,
    ALIGN: tl.constexpr, RANK: tl.constexpr, RANKS: tl.constexpr, TEAM: tl.constexpr, PIECES: tl.constexpr,
    WARPS: tl.constexpr, LANES: tl.constexpr, PACKED: tl.constexpr, LOG: tl.constexpr, EARLY: tl.constexpr,
):  # fmt: skip
    HALVES: tl.constexpr = 2 if PACKED else 1
    BFLOAT: tl.constexpr = x_ptr.dtype.element_ty == tl.bfloat16
    PADDING: tl.constexpr = -8323200 if BFLOAT else -67044352  # two times -inf: 0xFF80FF80, 0xFC00FC00
    wait_for_the_kernel_before(EARLY)
    n_cols, x_stride, y_stride = n_cols * ALIGN, as_int64(x_stride) * ALIGN, as_int64(y_stride) * ALIGN
    ticket = tl.atomic_add(mine + start, 1, sem="relaxed")
    call, part = ticket // tl.num_programs(0), (ticket % tl.num_programs(0)).to(tl.int32)
    row = (part // TEAM).to(tl.int64)
    begin = part % TEAM * (PIECES * WARPS * LANES)
    warp = tl.arange(0, WARPS)[:, None]
    x_row = x_ptr + row * x_stride
    pieces = ()
    for i in tl.static_range(PIECES):
        if PACKED:
            c = begin // 2 + (i * WARPS + warp) * (LANES // 2) + tl.arange(0, LANES // 2)[None, :]
            words = x_row.to(tl.pointer_type(tl.int32)) + c
            pieces += (tl.load(words, mask=c < n_cols // 2, other=PADDING, eviction_policy="evict_last"),)
        else:
            c = begin + (i * WARPS + warp) * LANES + tl.arange(0, LANES)[None, :]
            x = tl.load(x_row + c, mask=c < n_cols, other=-float("inf"), eviction_policy="evict_last")
            pieces += (x.to(tl.float32),)

    top = number(pieces[0], 0, PACKED, BFLOAT)
    for i in tl.static_range(PIECES):
        for half in tl.static_range(HALVES):
            top = tl.maximum(top, number(pieces[i], half, PACKED, BFLOAT))
    m_warp = tl.max(top, axis=1)
    sums = tl.zeros_like(top)
    # 16-bit numbers stay packed, two to a register: more rows are in flight. `zero` is 0, but the compiler cannot know; else it would
    # see the same unpacking three times, do it once and keep it.
    for i in tl.static_range(PIECES):
        piece = pieces[i] ^ zero if PACKED else pieces[i]
        for half in tl.static_range(HALVES):
            sums += exponential(number(piece, half, PACKED, BFLOAT), finite(m_warp)[:, None])
    m, s = tl.reduce((m_warp, tl.sum(sums, axis=1)), 0, meet)
    m, s = whole_row(addresses, mine, start, call, part, m, s, late_ptr, polls, RANK, RANKS, TEAM, WARPS)

    m, of_sum = from_sum(m, s, LOG)
    for i in tl.static_range(PIECES):
        piece = pieces[i] ^ (zero * 2) if PACKED else pieces[i]
        y = result(number(piece, 0, PACKED, BFLOAT), m, of_sum, LOG)
        if PACKED:
            y = tl.interleave(y, result(number(piece, 1, PACKED, BFLOAT), m, of_sum, LOG))
        c = begin + (i * WARPS + warp) * LANES + tl.arange(0, LANES)[None, :]
        tl.store(y_ptr + row * y_stride + c, y, mask=c < n_cols)


def team_of(widest: int, size: int) -> dict:
    """How the ranks share a row, by the widest part: programs of a rank, their warps, and the pieces that each holds."""
    lanes, most = 32 * choose.VECTOR // size, 16  # pieces of a thread: 64 registers
    warps = 1
    while warps < 4 * size and triton.cdiv(widest, warps * lanes) > 8:
        warps *= 2
    team = 1
    if triton.cdiv(widest, warps * lanes) > most:
        warps, most = 4, 14 if size == 2 else 16
        team = triton.cdiv(widest, most * warps * lanes)
    pieces = max(1, triton.cdiv(widest, team * warps * lanes))
    return {"TEAM": team, "PIECES": pieces, "WARPS": warps, "LANES": lanes}


def plan(x, ranks, agreed) -> tuple | None:
    """Where the mailboxes of this call begin, and how a row is shared; None where it cannot go this way."""
    boxes = mailboxes.mailboxes_of(ranks, x.device)
    if boxes is None or x.dtype == torch.float64:
        return None
    team = team_of(max(agreed.widths), x.element_size())
    if team["TEAM"] > boxes.multiprocessors:
        return None
    start = boxes.take(mailboxes.LINE + 2 * ranks.size * len(x) * team["TEAM"])
    return None if start is None else (start, team)


def softmax_across(y, x, ranks, agreed, log: bool) -> bool:
    """The softmax of this rank's columns `x` into `y`; False, on every rank alike, where it cannot go this way."""
    if "across" not in agreed.plans:
        agreed.plans["across"] = plan(x, ranks, agreed)
    if agreed.plans["across"] is None:
        return False
    start, team = agreed.plans["across"]
    boxes, n_rows, align = ranks.mailboxes, len(x), tiles.alignment(y, x)
    if boxes.late[0]:
        ranks.fail("另一个 rank\nanother rank")
    constants = team | {"ALIGN": align, "RANK": ranks.rank, "RANKS": ranks.size, "LOG": log}
    constants |= {"PACKED": x.element_size() == 2 and align % 2 == 0, "EARLY": choose.gpu_of(x.device).early}
    options = choose.options(team["WARPS"], choose.gpu_of(x.device))
    if constants["PACKED"] and team["TEAM"] > 1:
        options["maxnreg"] = (24 + 4 * team["PIECES"]) // 8 * 8
    strides = (tiles.row_stride(each) // align for each in (y, x))
    sizes = boxes.addresses, start, *strides, x.shape[1] // align, int(ranks.seconds * POLLS), 0
    with quiet(), tiles.on(x):
        across_kernel[(n_rows * team["TEAM"],)](y, x, boxes.memory, boxes.late, *sizes, **constants, **options)
    return True
