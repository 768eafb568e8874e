"""Runs a launch in several orders, and says what its programs do to each other."""

import linecache
import time

import numpy as np

from ..backend import mode
from ..interpreter import Listener
from ..interpreter.arguments import Arguments
from ..interpreter.elsewhere import interpreted
from ..interpreter.turns import Turns, taking_turns
from .findings import MOST_SECONDS, Deadlock, Findings, Place, Race
from .log import Log

ORDERS = ("up", "down", "eager", 1, 2, 3)  # in which programs start and take turns
SMALL = 16  # elements of a tensor whose values at the end are kept


def find_races(kernel, grid, /, *args, places: int | None = None, turns=None, ranks: int = 1, **constexprs) -> Findings:
    """Runs `kernel[grid](*args, **constexprs)` on copies, in several orders; `places`: how many programs the GPU holds at a time.

    With `turns`, in one order alone: whose turn it is to touch memory, program by program, and from there on all in turn.
    With `ranks`, the last axis of the grid counts GPUs, and an atomic reaches another one only with `scope="sys"`.
    """
    orders = ORDERS if turns is None else (tuple(turns),)
    job = (kernel, grid, Arguments.copy(args, constexprs), places, orders, ranks)
    told = (Findings, Race, Deadlock, Place)
    return interpreted("course_utils.races.finder:look", *job, seconds=MOST_SECONDS + 60, returns=told)


def run_together(kernel, grid, /, *args, **constexprs) -> None:
    """`kernel[grid](*args, **constexprs)`, for kernels whose programs wait for each other: interpreted, they take turns."""
    if mode != "interpreter":
        kernel[grid](*args, **constexprs)
        return
    with taking_turns(Turns()) as turns:
        kernel[grid](*args, **constexprs)
    if turns.deadlock:
        raise RuntimeError(str(_deadlock(turns.launch, turns).text))


def look(kernel, grid, arguments: Arguments, places: int | None, orders, ranks: int = 1) -> Findings:
    until, found, races = time.monotonic() + MOST_SECONDS, None, {}
    for order in orders:
        positional, named = Arguments.copy(*arguments.tensors()).tensors()
        turns, log = Turns(places, order), Log(ranks=ranks)
        log.number_of = lambda turns=turns: turns.now.number
        with taking_turns(turns, log, _Clock(turns, until)):
            kernel[grid](*positional, **named)
        launch = turns.launch
        if found is None:
            moved = {launch.arguments[owner].name: tuple(counts) for owner, counts in sorted(log.moved.items())}
            found = Findings(launch.name, launch.grid, len(orders), moved=moved)
        for (owner, element), earlier, later in log.races():
            no_barrier = earlier.lacks_a_barrier(later)
            if not later.writes or (earlier.writes and later.place < earlier.place):
                earlier, later = earlier, later
            elif not earlier.writes:
                earlier, later = later, earlier
            key = (owner, earlier.place, later.place, earlier.kind, later.kind)
            name = launch.arguments[owner].name
            too_near = earlier.alone and later.alone  # on two GPUs: on one that would do
            race = races.setdefault(key, Race(name, element, _place(earlier), _place(later), no_barrier, too_near))
            race.no_barrier &= no_barrier
        if turns.deadlock and not found.deadlock:
            found.deadlock = _deadlock(launch, turns)
        if time.monotonic() > until:
            found.late = True
            break
        if not turns.deadlock:
            _keep_outcomes(found.outcomes, launch, log)
    found.races = sorted(races.values(), key=lambda race: (race.first.line, race.second.line))
    for values in found.outcomes.values():
        values.sort()
    return found


class _Clock(Listener):
    """Ends what takes too long."""

    def __init__(self, turns: Turns, until: float):
        self.turns, self.until = turns, until

    def accessed(self, launch, access) -> None:
        if time.monotonic() > self.until:
            self.turns.stopping = True


def _place(entry) -> Place:
    function, filename, line = entry.place
    return Place(function, line, linecache.getline(filename, line).strip(), entry.program, entry.kind)


def _deadlock(launch, turns: Turns) -> Deadlock:
    waiting = []
    for program in sorted(turns.deadlock, key=lambda program: program.number):
        access = program.waits
        place = Place(access.function, access.line, linecache.getline(access.filename, access.line).strip(), program.number, access.kind)  # fmt: skip
        owner, element = _awaited(access)
        waiting.append((place, launch.arguments[owner].name, element))
    return Deadlock(waiting, turns.places or len(turns.programs), sorted(program.number for program in turns.queue))


def _awaited(access) -> tuple[int, int]:
    """Argument and element that a fruitless access most likely waits for: of several, the smallest, which an empty one is."""
    hits = np.flatnonzero(access.mask & access.inside)
    lane = hits[access.seen.reshape(-1)[hits].argmin()] if hits.size else 0
    return int(access.owner.reshape(-1)[lane]), int(access.offset.reshape(-1)[lane])


def _keep_outcomes(outcomes: dict, launch, log: Log) -> None:
    written = {owner for (owner, _), entries in log.entries.items() if any(entry.writes for entry in entries)}
    for owner in written:
        argument = launch.arguments[owner]
        if argument.tensor.numel() <= SMALL:
            values = argument.tensor.flatten().tolist()
            known = outcomes.setdefault(argument.name, [])
            if values not in known:
                known.append(values)
