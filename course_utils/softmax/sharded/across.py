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
from ..combine import answer, as_int64, exponential, exponentials, finite, greatest, total, wait_for_the_kernel_before
from ..launch import quiet
from ..team import NOBODY
from . import mailboxes

USE = tl.constexpr(1 << 31)  # a sum's sign bit, which it never needs
LINE = tl.constexpr(mailboxes.LINE)
POLLS = 1_000_000  # a second, about
HINT = "evict_first"  # on two H100s 3 to 5 % faster than "evict_last" at 4096 x 32768, elsewhere level


@triton.jit
def whole_row(
    addresses, mine, start, call, part, m, s, late_ptr, polls,
    RANK: tl.constexpr, RANKS: tl.constexpr, TEAM: tl.constexpr, WARPS: tl.constexpr,
):  # fmt: skip
    """Posts this program's maximum and sum to every rank; returns those of the row. Looks as `team.exchange` does."""
    MEMBERS: tl.constexpr = RANKS * TEAM
    PLACES: tl.constexpr = max(triton.next_power_of_2(MEMBERS), 32 * WARPS)
    programs = tl.num_programs(0)
    box = start + LINE + (call & 1) * programs * RANKS
    use = ((call >> 1) + 1 & 1) << 31
    low = s.to(tl.int32, bitcast=True).to(tl.int64) & (USE - 1) | use
    word = (m.to(tl.int32, bitcast=True).to(tl.int64) << 32) | low
    for i in tl.static_range(1, RANKS + 1):
        theirs = tl.load(addresses.to(tl.pointer_type(tl.int64)) + (RANK + i) % RANKS).to(tl.pointer_type(tl.int64))
        tl.atomic_xchg(theirs + box + RANK * programs + part, word, sem="relaxed", scope="sys")

    k = tl.arange(0, PLACES)
    of_row = mine + box + k // TEAM * programs + part // TEAM * TEAM + k % TEAM
    polls = tl.where(tl.load(mine, volatile=True) == 0, polls, 0)
    missing = True
    posted = tl.full((PLACES,), 0, tl.int64)
    while missing & (polls > 0):
        posted = tl.load(of_row, mask=k < MEMBERS, other=NOBODY | use, volatile=True)
        missing = tl.max((posted & USE) ^ use, axis=0) != 0
        polls -= 1
    if missing:
        tl.store(mine, 1)
        tl.store(late_ptr, 1)
    ms = (posted >> 32).to(tl.int32).to(tl.float32, bitcast=True)
    ss = (posted & (USE - 1)).to(tl.int32).to(tl.float32, bitcast=True)
    m = finite(tl.max(ms, axis=0))
    return m, tl.where(missing, float("nan"), tl.sum(ss * exponential(ms, m), axis=0))


@triton.jit
def across_kernel(
    y_ptr, x_ptr, mine, late_ptr, addresses, start, y_stride, x_stride, n_cols, polls,
    ALIGN: tl.constexpr, RANK: tl.constexpr, RANKS: tl.constexpr, TEAM: tl.constexpr, PIECES: tl.constexpr,
    PIECE: tl.constexpr, WARPS: tl.constexpr, HINT: tl.constexpr, LOG: tl.constexpr, EARLY: tl.constexpr,
):  # fmt: skip
    wait_for_the_kernel_before(EARLY)
    n_cols = n_cols * ALIGN
    ticket = tl.atomic_add(mine + start, 1, sem="relaxed")
    call, part = ticket // tl.num_programs(0), (ticket % tl.num_programs(0)).to(tl.int32)
    row = (part // TEAM).to(tl.int64)
    x_row, y_row = x_ptr + row * (as_int64(x_stride) * ALIGN), y_ptr + row * (as_int64(y_stride) * ALIGN)
    columns = part % TEAM * (PIECES * PIECE) + tl.arange(0, PIECE)
    pieces = ()
    for i in tl.static_range(PIECES):
        c = i * PIECE + columns
        x = tl.load(x_row + c, mask=c < n_cols, other=-float("inf"), eviction_policy=HINT)
        pieces += (x.to(tl.float32),)
    m_part = tl.max(greatest(pieces, PIECES), axis=0)
    numerators = exponentials(pieces, finite(m_part), PIECES)
    s_part = tl.sum(total(numerators, PIECES), axis=0)
    m, s = whole_row(addresses, mine, start, call, part, m_part, s_part, late_ptr, polls, RANK, RANKS, TEAM, WARPS)
    # As in `team_kernel`: this part's numerators are relative to its own maximum, and so must be the sum that divides them.
    s_above = s if LOG else s / exponential(m_part, m)
    for i in tl.static_range(PIECES):
        c = i * PIECE + columns
        y = answer(pieces[i], numerators[i], m, s_above, LOG)
        tl.store(y_row + c, y, mask=c < n_cols, eviction_policy="evict_first")


def team_of(widest: int, size: int) -> dict:
    """How the ranks share a row, by the widest part: programs of a rank, their warps, and the pieces that each holds."""
    lanes, warps = 32 * choose.VECTOR // size, 1
    while warps < choose.MEMBER and triton.cdiv(widest, warps * lanes) > 8:
        warps *= 2
    team, piece = max(1, triton.cdiv(widest, choose.PART)), warps * lanes
    return {"TEAM": team, "PIECES": max(1, triton.cdiv(widest, team * piece)), "PIECE": piece, "WARPS": warps}


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
    boxes, align, gpu = ranks.mailboxes, tiles.alignment(y, x), choose.gpu_of(x.device)
    if boxes.late[0]:
        ranks.fail("另一个 rank\nanother rank")
    constants = team | {"ALIGN": align, "RANK": ranks.rank, "RANKS": ranks.size, "HINT": HINT, "LOG": log}
    strides = (tiles.row_stride(each) // align for each in (y, x))
    sizes = boxes.addresses, start, *strides, x.shape[1] // align, int(ranks.seconds * POLLS)
    with quiet(), tiles.on(x):
        across_kernel[(len(x) * team["TEAM"],)](
            y, x, boxes.memory, boxes.late, *sizes, **constants, EARLY=gpu.early, **choose.options(team["WARPS"], gpu)
        )
    return True
