"""A launch whose programs meet, in several orders of turns: what becomes of it, and what the first race is, where there is one."""

from dataclasses import dataclass, field

import torch

from ..interpreter import Listener, listening
from ..interpreter.arguments import Arguments
from ..races.finder import ORDERS, look
from .launch import UNTOUCHED


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


def watched(
    kernel, grid, arguments: dict, constants: dict, writes: list[str], counter: str, places: int | None
) -> dict:
    """An observation (see `observe`). `finding` is why it goes wrong in some order: a key, the tensor, the lines."""
    names = list(kernel.arg_names)
    called = dict(zip(arguments, names))  # what the learner calls them
    with listening(Overheard()) as overheard:
        found = look(kernel, grid, Arguments.copy(tuple(arguments.values()), constants), places, ORDERS)
    out = arguments[writes[0]]
    outcomes = [torch.tensor(values) for values in found.outcomes.get(called[writes[0]], [])]
    seen = {"loads": {name: moved[0] for name, moved in found.moved.items()}}
    if not outcomes:
        outcomes = [torch.full((out.numel(),), UNTOUCHED)]
    alike = all(torch.allclose(one, outcomes[0], equal_nan=True) for one in outcomes)
    seen["written"] = {writes[0].removesuffix("_ptr"): outcomes[0] if alike else torch.stack(outcomes)}
    if found.races:
        seen["finding"] = _first(found, overheard.logs, called[counter])
    elif found.deadlock or found.late:
        seen["finding"] = {"key": "never ends", "tensor": "", "lines": []}
    return seen


def _first(found, logs: list, counter: str) -> dict:
    """Races on the counter come before those on what it should guard."""
    race = min(found.races, key=lambda race: (race.tensor != counter, race.second.kind == "load"))
    lines = sorted({race.first.line, race.second.line})
    return {"key": _why(race, logs, counter), "tensor": race.tensor, "lines": lines}


def _why(race, logs: list, counter: str) -> str:
    """What lets a program read too early, as far as the programs' own doings show it."""
    kinds = race.first.kind, race.second.kind
    if race.tensor == counter:
        return "counter loaded" if "load" in kinds else "counter stored" if {*kinds} == {"store"} else "counter mixed"
    if race.no_barrier:
        return "no barrier"
    if kinds[1] != "load":
        return "both write"
    at_counter = [done for log in logs for done in log if done[0] == counter]
    if any(kind == "load" for _, kind, *_ in at_counter):
        return "volatile"
    for log in logs:
        reports = [k for k, done in enumerate(log) if done[0] == counter and done[3]]
        if reports and any(tensor == race.tensor and kind != "load" for tensor, kind, *_ in log[reports[0] :]):
            return "reports early"
    reports = [done for done in at_counter if done[3]]
    looks = [done for done in at_counter if not done[3]] or reports
    if any(order in ("relaxed", "acquire") for _, _, order, *_ in reports):
        return "no release"
    if any(order in ("relaxed", "release") for _, _, order, *_ in looks):
        return "no acquire"
    if any(sum(done[0] == counter and done[3] for done in log) > 1 for log in logs):
        return "looks count"
    return "not all there"
