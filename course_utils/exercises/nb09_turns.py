"""A launch whose programs take turns, and why two of them are in no order."""

from dataclasses import dataclass, field

import torch

from ..interpreter import Listener, listening
from ..worker.pupil import Fallen
from .nb09_races_says import TURNS_SAY
from .nb09_says import SAYS

# ---- over there


@dataclass
class Overheard(Listener):
    """What each program did, one list a program of each launch: (tensor, kind, order, whether it changed, line)."""

    logs: list[list[tuple]] = field(default_factory=list)
    running: dict = field(default_factory=dict)  # the lists of this launch, by program

    def launch_started(self, launch) -> None:
        self.running = {}

    def accessed(self, launch, access) -> None:
        log = self.running.get(access.program)
        if log is None:
            self.logs.append(log := self.running.setdefault(access.program, []))
        for owner in sorted(set(access.owner[access.mask & access.inside].tolist())):
            done = launch.arguments[owner].name, access.kind, access.order, bool(access.changed), int(access.line)
            if log[-2:] != [done, done]:  # of many looks at a counter two will do
                log.append(done)


def watched_there(answer, grid, arguments, constexprs, places):
    """The launch in several orders: what was found, and what each program did."""
    from ..races.finder import attempt
    from ..worker.arguments import Arguments

    with listening(Overheard()) as overheard:
        found = attempt(answer, grid, Arguments.copy(arguments, constexprs), places)
    if isinstance(found, Exception):
        raise found
    return found, overheard.logs


# ---- here


def watched(kernel, grid, *arguments, places=None, **constexprs):
    """What `find_races` finds; its `logs` are those of `Overheard`."""
    from ..races.findings import Deadlock, Findings, Place, Race

    if not getattr(kernel, "is_kernel", False):
        raise SAYS.wrong("no kernel")
    kernel.launches.append((arguments, constexprs))
    job = f"{__name__}:watched_there", grid, arguments, constexprs, places
    told = kernel.pupil.apply(*job, returns=(Findings, Race, Deadlock, Place))
    try:
        found, found.logs = told
        if not isinstance(found, Findings) or not all(_is_a_deed(done) for log in found.logs for done in log):
            raise TypeError
    except (AttributeError, TypeError, ValueError):
        raise Fallen("meddled") from None
    return found


def _is_a_deed(done) -> bool:
    return list(map(type, done)) == [str, str, str, bool, int]


def outcomes(found, name: str, shape) -> list[torch.Tensor]:
    try:
        return [torch.tensor(values, dtype=torch.float32).view(shape) for values in found.outcomes.get(name, [])]
    except (AttributeError, TypeError, ValueError, RuntimeError):
        raise Fallen("meddled") from None


def refuse_races(found, counter: str) -> None:
    """The first race: those on the counter itself come before those on what it should guard."""
    for race in sorted(found.races, key=lambda race: (race.tensor != counter, race.second.kind == "load")):
        a, b = race.first, race.second
        said = {"tensor": race.tensor, "at": TURNS_SAY.say("line" if a.line == b.line else "lines", a=a.line, b=b.line)}
        if race.tensor == counter:
            raise TURNS_SAY.wrong("counter loaded" if "load" in (a.kind, b.kind) else "counter stored", **said)
        if race.no_barrier:
            raise TURNS_SAY.wrong("no barrier", **said)
        if b.kind != "load":
            raise TURNS_SAY.wrong("both write", **said)
        key, more = _why(found.logs, race.tensor, counter)
        raise TURNS_SAY.wrong(key, **said, **more)


def _why(logs: list[list[tuple]], data: str, counter: str) -> tuple[str, dict]:
    """What lets a program read `data` too early, as far as the programs' own doings show it."""
    at_counter = [done for log in logs for done in log if done[0] == counter]
    if any(kind == "load" for _, kind, *_ in at_counter):
        return "volatile", {}
    for log in logs:
        reports = [k for k, done in enumerate(log) if done[0] == counter and done[3]]
        late = any(tensor == data and kind != "load" for tensor, kind, *_ in log[reports[0] :]) if reports else False
        if late:
            return "reports early", {"line": log[reports[0]][4]}
    reports = [done for done in at_counter if done[3]]
    looks = [done for done in at_counter if not done[3]] or reports
    for key, orders, deeds in (
        ("no release", ("relaxed", "acquire"), reports),
        ("no acquire", ("relaxed", "release"), looks),
    ):
        for _, _, order, _, line in deeds:
            if order in orders:
                return key, {"line": line, "sem": order}
    for log in logs:
        reports = [done for done in log if done[0] == counter and done[3]]
        if len(reports) > 1:
            return "looks count", {"line": reports[-1][4]}
    return "not all there", {}
