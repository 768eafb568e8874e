"""Runs a launch in several orders, and says what its programs do to each other."""

import linecache
import re
import time
from dataclasses import dataclass, field

import numpy as np

from .. import worker
from ..backend import mode
from ..interpreter import Listener
from ..interpreter.turns import Turns, taking_turns
from ..language import Text
from ..worker.arguments import Arguments
from .log import Log

ORDERS = ("up", "down", "eager", 1, 2, 3)  # in which programs start and take turns
MOST_SECONDS = 20
SMALL = 16  # elements of a tensor whose values at the end are kept


@dataclass(frozen=True)
class Place:
    """A line of a kernel, and one program that came there."""

    function: str
    line: int
    source: str
    program: int
    kind: str


@dataclass
class Race:
    """Two programs at one element, in no order. Of a load and a store, the store comes first."""

    tensor: str
    element: int
    first: Place
    second: Place

    @property
    def text(self) -> Text:
        a, b, what = self.first, self.second, f"{self.tensor}[{self.element}]"
        at_a, at_b = _at(a), _at(b)
        if b.kind != "load":
            same = (a.function, a.line) == (b.function, b.line)
            zh = "" if same else f"、{at_b[0]}"
            en = "" if same else f" and {at_b[1]}"
            return Text(
                f"数据竞争。{at_a[0]}{zh}：program {a.program} 和 program {b.program} 都写 {what}，没有先后。",
                f"Race at {at_a[1]}{en}: programs {a.program} and {b.program} both write {what}, in no order.",
            )
        return Text(
            f"数据竞争。{at_b[0]}：program {b.program} 读 {what}，而 program {a.program} 在{at_a[0]} 写它，可能还没有写。",
            f"Race at {at_b[1]}: program {b.program} reads {what}, which program {a.program} writes at {at_a[1]}, perhaps not yet.",
        )


@dataclass
class Deadlock:
    """Programs that wait, each at a line for an element, and programs that have no place."""

    waiting: list[tuple[Place, str, int]]
    places: int
    without: list[int]

    @property
    def text(self) -> Text:
        lines: dict[tuple, list] = {}
        for place, tensor, element in self.waiting:
            lines.setdefault((place.function, place.line, place.source, tensor, element), []).append(place)
        zh, en = [], []
        for (_, _, _, tensor, element), found in lines.items():
            who, at = _names([place.program for place in found]), _at(found[0])
            verb = "waits" if len(found) == 1 else "wait"
            zh.append(f"{at[0]}：program {who[0]} 在等 {tensor}[{element}] 改变")
            en.append(f"{at[1]}: program{'s' * (len(found) > 1)} {who[1]} {verb} for {tensor}[{element}] to change")
        zh, en = "；".join(zh), "; ".join(en)
        if not self.without:
            return Text(f"死锁。{zh}，可是没有谁会再改它。", f"Deadlock at {en}, and nobody will ever change it.")
        who, several = _names(self.without), len(self.without) > 1
        return Text(
            f"死锁。{zh}。program {who[0]} 没有位置：GPU 上一次只放得下 {self.places} 个，占着的都在等。",
            f"Deadlock at {en}. Program{'s' * several} {who[1]} {'have' if several else 'has'} no place: the GPU holds {self.places} at a time, "
            "and those that have one all wait.",
        )


@dataclass
class Findings:
    """What was found. Shows as sentences; `outcomes` are the different values at the end of small tensors that were written."""

    kernel: str
    grid: tuple[int, int, int]
    orders: int
    races: list[Race] = field(default_factory=list)
    deadlock: Deadlock | None = None
    outcomes: dict[str, list] = field(default_factory=dict)
    moved: dict[str, tuple[int, int]] = field(
        default_factory=dict
    )  # tensor → elements loaded and stored, in the first order
    late: bool = False

    @property
    def clean(self) -> bool:
        return not (self.races or self.deadlock or self.late)

    @property
    def text(self) -> Text:
        found = [race.text for race in self.races] + ([self.deadlock.text] if self.deadlock else [])
        if self.late:
            found.append(Text(f"{MOST_SECONDS} 秒内没有结束。", f"It did not end within {MOST_SECONDS} seconds."))
        if not found:
            found = [Text(f"没有数据竞争，没有死锁。试了 {self.orders} 种次序。", f"No race, no deadlock. Orders tried: {self.orders}.")]  # fmt: skip
        return Text("\n".join(each.zh for each in found), "\n".join(each.en for each in found))

    def __repr__(self) -> str:
        return str(self.text)

    def _repr_html_(self) -> str:
        return re.sub("`(.*?)`", r"<code>\1</code>", self.text._repr_html_()).replace("\n", "<br>")


def find_races(kernel, grid, /, *args, places: int | None = None, **constexprs) -> Findings:
    """Runs `kernel[grid](*args, **constexprs)` on copies, in several orders; `places`: how many programs the GPU holds at a time."""
    job = (kernel, grid, Arguments.copy(args, constexprs), places)
    if mode == "interpreter":
        result = attempt(*job)
    else:
        told = (Findings, Race, Deadlock, Place)
        result = worker.run("course_utils.races.finder:attempt", *job, seconds=MOST_SECONDS + 60, returns=told)
    if isinstance(result, Exception):
        raise result
    return result


def run_together(kernel, grid, /, *args, **constexprs) -> None:
    """`kernel[grid](*args, **constexprs)`, for kernels whose programs wait for each other: interpreted, they take turns."""
    if mode != "interpreter":
        kernel[grid](*args, **constexprs)
        return
    with taking_turns(Turns()) as turns:
        kernel[grid](*args, **constexprs)
    if turns.deadlock:
        raise RuntimeError(str(_deadlock(turns.launch, turns).text))


def attempt(kernel, grid, arguments: Arguments, places: int | None, orders=ORDERS) -> Findings | Exception:
    """The same where kernels are interpreted; returns what it would raise."""
    try:
        return _look(kernel, grid, arguments, places, orders)
    except Exception as error:
        return error.with_traceback(None)


def _look(kernel, grid, arguments, places, orders) -> Findings:
    until, found, races = time.monotonic() + MOST_SECONDS, None, {}
    for order in orders:
        positional, named = Arguments.copy(*arguments.tensors()).tensors()
        turns, log = Turns(places, order), Log()
        log.number_of = lambda turns=turns: turns.now.number
        with taking_turns(turns, log, _Clock(turns, until)):
            kernel[grid](*positional, **named)
        launch = turns.launch
        if found is None:
            moved = {launch.arguments[owner].name: tuple(counts) for owner, counts in sorted(log.moved.items())}
            found = Findings(launch.name, launch.grid, len(orders), moved=moved)
        for (owner, element), earlier, later in log.races():
            if not later.writes or (earlier.writes and later.place < earlier.place):
                earlier, later = earlier, later
            elif not earlier.writes:
                earlier, later = later, earlier
            key = (owner, earlier.place, later.place, earlier.kind, later.kind)
            name = launch.arguments[owner].name
            races.setdefault(key, Race(name, element, _place(earlier), _place(later)))
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


def _at(place: Place) -> tuple[str, str]:
    source = place.source.removesuffix(":")
    return f"第 {place.line} 行 `{source}`", f"line {place.line}, `{source}`"


def _names(numbers: list[int]) -> tuple[str, str]:
    if len(numbers) == 1:
        return str(numbers[0]), str(numbers[0])
    head, last = ", ".join(map(str, numbers[:-1])), numbers[-1]
    return f"{head.replace(', ', '、')} 和 {last}", f"{head} and {last}"
