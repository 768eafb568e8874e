"""Programs that take turns: what the finder says of right kernels and wrong ones, and what stepping side by side shows."""

import linecache

import pytest
import torch
from bs4 import BeautifulSoup

from course_utils.backend import device, mode, tl, triton
from course_utils.interpreter.turns import Turns, taking_turns
from course_utils.races import find_races, run_together
from course_utils.races.finder import ORDERS
from course_utils.softmax import backward_team_kernel, team_kernel
from course_utils.stepper import step_together

interpreted = pytest.mark.skipif(mode != "interpreter", reason="launches in the interpreter itself")


@triton.jit
def lost(total_ptr, x_ptr, BLOCK: tl.constexpr):
    x = tl.load(x_ptr + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK))
    so_far = tl.load(total_ptr)
    tl.store(total_ptr, so_far + tl.sum(x, axis=0))


@triton.jit
def added(total_ptr, x_ptr, BLOCK: tl.constexpr):
    x = tl.load(x_ptr + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK))
    tl.atomic_add(total_ptr, tl.sum(x, axis=0))


@triton.jit
def half(out_ptr, m_ptr, s_ptr, M_FIRST: tl.constexpr):
    if tl.program_id(0) == 0:
        if M_FIRST:
            tl.store(m_ptr, 1.0)
            tl.store(s_ptr, 2.0)
        else:
            tl.store(s_ptr, 2.0)
            tl.store(m_ptr, 1.0)
    else:
        while tl.load(m_ptr, volatile=True) == 0.0:
            pass
        tl.store(out_ptr, tl.load(s_ptr))


@triton.jit
def flagged(out_ptr, s_ptr, flag_ptr, WRITES: tl.constexpr, READS: tl.constexpr):
    if tl.program_id(0) == 0:
        tl.store(s_ptr, 2.0)
        tl.atomic_xchg(flag_ptr, 1, sem=WRITES)
    else:
        while tl.atomic_add(flag_ptr, 0, sem=READS) == 0:
            pass
        tl.store(out_ptr, tl.load(s_ptr))


@triton.jit
def announced(out_ptr, block_ptr, flag_ptr, BARRIER: tl.constexpr, SIZE: tl.constexpr):
    lanes = tl.arange(0, SIZE)
    if tl.program_id(0) == 0:
        tl.store(block_ptr + lanes, 2.0)
        if BARRIER:
            tl.debug_barrier()
        tl.atomic_xchg(flag_ptr, 1)
    else:
        while tl.atomic_add(flag_ptr, 0) == 0:
            pass
        tl.store(out_ptr + lanes, tl.load(block_ptr + lanes))


@triton.jit
def emptied(block_ptr, flag_ptr, BARRIER: tl.constexpr):
    lanes = tl.arange(0, 4)
    if tl.program_id(0) == 0:
        held = tl.load(block_ptr + lanes)
        if BARRIER:
            tl.debug_barrier()
        tl.atomic_xchg(flag_ptr, 1)
        tl.store(block_ptr + 4 + lanes, held)
    else:
        while tl.atomic_add(flag_ptr, 0) == 0:
            pass
        tl.store(block_ptr + lanes, 3.0)


@triton.jit
def relayed(out_ptr, s_ptr, flags_ptr):
    me = tl.program_id(0)
    if me == 0:
        tl.store(s_ptr, 2.0)
    else:
        while tl.atomic_add(flags_ptr + me - 1, 0) == 0:
            pass
    if me == 2:
        tl.store(out_ptr, tl.load(s_ptr))
    tl.atomic_xchg(flags_ptr + me, 1)


@triton.jit
def meeting(arrived_ptr, out_ptr, PARTS: tl.constexpr):
    tl.atomic_add(arrived_ptr, 1)
    while tl.atomic_add(arrived_ptr, 0) < PARTS:
        pass
    tl.store(out_ptr + tl.program_id(0), 1.0)


@triton.jit
def failing(out_ptr, N: tl.constexpr):
    tl.store(out_ptr + tl.program_id(0), 1.0)
    tl.store(out_ptr + tl.arange(0, N), 1.0)


def zeros(*sizes, dtype=torch.float32):
    return [torch.zeros(size, dtype=dtype) for size in sizes]


def counter(size=1):
    return torch.zeros(size, dtype=torch.int32)


def test_a_lost_update_is_named_and_its_totals_differ():
    total, x = torch.zeros(1), torch.arange(32.0)
    found = find_races(lost, (4,), total, x, BLOCK=8)
    sources = {(race.first.source, race.second.source) for race in found.races}
    store, load = "tl.store(total_ptr, so_far + tl.sum(x, axis=0))", "so_far = tl.load(total_ptr)"
    assert sources == {(store, store), (store, load)} and not found.deadlock
    assert len(found.outcomes["total_ptr"]) > 1 and [496.0] in found.outcomes["total_ptr"]
    assert total.item() == 0, "the caller's tensors are left alone"
    assert found.moved["x_ptr"] == (32, 0)
    for race in found.races:
        assert linecache.getline(__file__, race.second.line).strip() == race.second.source


@pytest.mark.parametrize("m_first", [True, False])
def test_half_a_message(m_first):
    found = find_races(half, (2,), *zeros(1, 1, 1), M_FIRST=m_first)
    assert {race.tensor for race in found.races} == {"m_ptr", "s_ptr"}
    # Turned round, no order of turns goes wrong, and it is a race nevertheless.
    assert found.outcomes["out_ptr"] == ([[0.0], [2.0]] if m_first else [[2.0]])


@pytest.mark.parametrize(
    "writes, reads, clean",
    [
        ("release", "acquire", True),
        ("acq_rel", "acq_rel", True),
        ("relaxed", "acquire", False),
        ("release", "relaxed", False),
        ("relaxed", "relaxed", False),
    ],
)
def test_what_orders(writes, reads, clean):
    found = find_races(flagged, (2,), *zeros(1, 1), counter(), WRITES=writes, READS=reads)
    assert found.clean == clean and found.outcomes["out_ptr"] == [[2.0]]


@pytest.mark.parametrize("barrier, size", [(False, 4), (True, 4), (False, 1)])
def test_a_block_takes_a_barrier(barrier, size):
    """Many threads store a block, one announces it; a block of one element has one thread that matters."""
    found = find_races(announced, (2,), *zeros(size, size), counter(), BARRIER=barrier, SIZE=size)
    assert found.clean == (barrier or size == 1) and found.outcomes["out_ptr"] == [[2.0] * size]
    assert all(race.no_barrier and race.tensor == "block_ptr" for race in found.races)


@pytest.mark.parametrize("barrier", [False, True])
def test_a_block_that_was_read_takes_one_too(barrier):
    races = find_races(emptied, (2,), torch.zeros(8), counter(), BARRIER=barrier).races
    assert [(race.no_barrier, race.second.kind) for race in races] == [(True, "load")] * (not barrier)


@triton.jit
def posted(box_ptr, out_ptr, SCOPE: tl.constexpr):
    row, rank = tl.program_id(0), tl.program_id(1)
    mine = box_ptr + rank * tl.num_programs(0) + row
    tl.atomic_xchg(box_ptr + (1 - rank) * tl.num_programs(0) + row, rank + 1, sem="relaxed", scope=SCOPE)
    while tl.load(mine, volatile=True) == 0:
        pass
    tl.store(out_ptr + rank * tl.num_programs(0) + row, tl.load(mine, volatile=True))


@pytest.mark.parametrize("ranks, scope, clean", [(2, "sys", True), (2, "gpu", False), (1, "gpu", True)])
def test_another_gpu_takes_a_wider_scope(ranks, scope, clean):
    found = find_races(posted, (3, 2), counter(6), counter(6), ranks=ranks, SCOPE=scope)
    assert found.clean == clean and not found.deadlock
    for race in found.races:
        assert race.too_near and (race.first.program - race.second.program) % 2


def test_order_is_handed_on():
    assert find_races(relayed, (3,), *zeros(1, 1), counter(3)).clean


@pytest.mark.parametrize("places, without", [(4, 4), (7, 1), (1, 7)])
def test_too_few_places(places, without):
    found = find_races(meeting, (8,), counter(), torch.zeros(8), places=places, PARTS=8)
    assert len(found.deadlock.waiting) == places and len(found.deadlock.without) == without
    assert {tensor for _, tensor, _ in found.deadlock.waiting} == {"arrived_ptr"}
    assert not found.races


def test_enough_places_and_one_who_never_comes():
    assert find_races(meeting, (8,), counter(), torch.zeros(8), places=8, PARTS=8).clean
    found = find_races(meeting, (4,), counter(), torch.zeros(4), PARTS=5)
    assert found.deadlock and not found.deadlock.without


TEAM = {"ALIGN": 8, "TEAM": 4, "PIECES": 2, "PIECE": 32, "WARPS": 1, "PATIENCE": 3, "HINT": "", "EARLY": False}
# Places for everybody, for less than a team, for one of it.
PLACES = pytest.mark.parametrize("places, log", [(None, False), (None, True), (3, False), (1, True)])


def never_in_vain(kernel, places, want, *arguments, **constants):
    """Neither race nor deadlock, and right in every order, however few run at once: who finds nobody there helps himself."""
    out, mailbox = torch.empty_like(want), torch.zeros(8, dtype=torch.int64)
    tensors = [each for each in arguments if isinstance(each, torch.Tensor)]
    arguments = (out, *tensors, mailbox, *arguments[len(tensors) :])
    found = find_races(kernel, (8,), *arguments, places=places, **TEAM, **constants)
    assert found.clean
    for order in ORDERS:
        with taking_turns(Turns(places, order)):
            kernel[(8,)](*arguments, **TEAM, **constants)
        torch.testing.assert_close(out, want, atol=1e-6, rtol=1e-5)
        out.zero_()
        mailbox.zero_()


@interpreted
@PLACES
@pytest.mark.parametrize("width", [200, 199], ids=["on the grid", "ragged"])
def test_a_team_waits_for_nobody_in_vain(width, places, log):
    x = torch.randn(2, width, generator=torch.Generator().manual_seed(0))
    ragged = width % 8 > 0
    want = torch.log_softmax(x, 1) if log else torch.softmax(x, 1)
    sizes = (width if ragged else width // 8,) * 3
    never_in_vain(team_kernel, places, want, x, *sizes, RAGGED=ragged, LOG=log)


@interpreted
@PLACES
def test_nor_do_the_teams_of_training(places, log):
    dy, x = torch.randn(2, 2, 200, generator=torch.Generator().manual_seed(0))
    y = torch.log_softmax(x, 1) if log else torch.softmax(x, 1)
    want = dy - y.exp() * dy.sum(1, keepdim=True) if log else y * (dy - (y * dy).sum(1, keepdim=True))
    never_in_vain(backward_team_kernel, places, want, dy, y, *(25,) * 4, LOG=log)


def test_an_error_in_a_kernel_is_raised():
    with pytest.raises(Exception, match="power of 2"):
        find_races(failing, (2,), torch.zeros(3), N=3)


def test_run_together_writes_to_the_tensors_it_is_given():
    out = torch.zeros(4, device=device)
    run_together(meeting, (4,), counter().to(device), out, PARTS=4)
    assert out.tolist() == [1.0] * 4
    if mode == "interpreter":
        with pytest.raises(RuntimeError, match="Deadlock"):
            run_together(meeting, (4,), counter(), torch.zeros(4), PARTS=5)


@interpreted
@pytest.mark.parametrize("order", ["up", "down", "eager", 1, 2])
def test_every_order_runs_every_program_once(order):
    total = torch.zeros(1)
    with taking_turns(Turns(3, order)) as turns:
        added[(8,)](total, torch.arange(16.0), BLOCK=2)
    assert total.item() == 120 and not turns.resident and not turns.queue and all(each.ended for each in turns.programs)
    added[(8,)](total.zero_(), torch.arange(16.0), BLOCK=2)  # and after it, launches are ordinary ones again
    assert total.item() == 120


# ---- side by side


def test_stepping_up_to_where_one_waits():
    steps = step_together(meeting, (2,), counter(), torch.zeros(2), PARTS=2)
    at = steps.at("waiting")
    assert steps.states(at.start) == ("waiting", "ready")
    number, moment = steps[at.start]
    assert number == 0 and moment.line.startswith("while") and moment.tensors["arrived_ptr"].tolist() == [1]
    number, moment = steps[-1]
    assert moment.tensors["out_ptr"].tolist() == [1.0, 1.0] and moment.tensors["arrived_ptr"].tolist() == [2]
    moves = [number for number, _ in (steps[k] for k in range(len(steps)))]
    assert moves[0] == 0 and 1 in moves and moves[-1] == 0, "the first waits, the second comes, the first goes on"


@triton.jit
def arrived(arrived_ptr):
    return tl.atomic_add(arrived_ptr, 0)


@triton.jit
def met(arrived_ptr, PARTS: tl.constexpr):
    tl.atomic_add(arrived_ptr, 1)
    while arrived(arrived_ptr) < PARTS:
        pass


def test_one_text_shows_where_each_program_is():
    steps = step_together(met, (2,), counter(), PARTS=2)
    for k, (number, moment) in enumerate(steps):
        (text,) = BeautifulSoup(steps.at(k).still(), "html.parser").select(".src")
        mark, *others = text.select_one(".now .no").get_text().split()
        assert mark == "▶" and str(number) in others[:-1]
        if number == 1 and moment.line.startswith("tl.atomic_add"):
            waiting = text.select_one(".at").get_text()
            assert waiting.split()[0] == "0" and "while arrived(" in waiting, "at the line that called the helper"
            break
    else:
        raise AssertionError("program 1 never reported")


def test_stepping_into_a_deadlock():
    steps = step_together(meeting, (3,), counter(), torch.zeros(3), places=2, PARTS=3)
    assert steps.timeline.deadlock and steps.states(len(steps) - 1) == ("waiting", "waiting", "queued")
    assert len(steps) < 60, "it ends where all wait, not where the finder lost patience"
