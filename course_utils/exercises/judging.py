"""The judge: the learner's program and the course's on the same probes; where they differ, the known mistake that does the same."""

import time

from ..language import Text
from . import laws
from .agreement import SAID, difference, nearness, same, with_place
from .defined import define
from .files import LAUNCHED, find
from .observe import arguments_of, observe
from .sayings import Sayings

# Seconds of computing for a search, and half as many again by the clock: then the difference itself is said.
PATIENCE = 4.0
OURS = Sayings("""
no kernel
kernel 要有 @triton.jit 这一行。
A kernel needs the line @triton.jit.

renamed
启动时按名字给 {name}，可你的 kernel 没有这个参数：参数的名字照题目的写。
The launch gives {name} by name, and your kernel has no such parameter: keep the names that the exercise gives.

parameters
{name} 的参数与题目的不一样：照题目写成 {name}({parameters})。
The parameters of {name} are not those of the exercise: keep {name}({parameters}).

undefined
load 有 mask 而没有 other：没有读的那些位置是什么值，Triton 没有规定，你的结果却用到了它们。用 other 说明该填什么。
A load has a mask and no other: what stands in the places it does not load is undefined, and the result depends on it. Say with other what they are to hold.
""")


class Known:
    """The course's own programs on an exercise's probes, run when they are asked for, and once."""

    def __init__(self, exercise):
        self.exercise, self._seen, self.cost = exercise, {}, {}

    def seen(self, source: str, k: int) -> dict:
        if (source, k) not in self._seen:
            try:
                began = time.monotonic()
                self._seen[source, k] = observe(self._program(source), self.exercise.probes[k], self.exercise, {})
                self.cost.setdefault(k, time.monotonic() - began)
            except Exception as error:  # it can't even be defined
                self._seen[source, k] = {"raised": {"type": type(error).__name__, "message": str(error)}}
        return self._seen[source, k]

    def _program(self, source: str):
        if source not in self._seen:
            self._seen[source] = define(source, self.exercise.name)
        return self._seen[source]


def judge_by_name(identifier: str, seen: list[dict], facts: dict) -> dict:
    """The same in a process of its own."""
    return judge(find(identifier), seen, facts)


def judge(exercise, seen: list[dict], facts: dict, known: Known | None = None) -> dict:
    """{"right": launches to compile}, {"wrong": Text} or {"raised": what the learner's code raised}."""
    parameters = facts.get("parameters", [])
    if exercise.kind in (*LAUNCHED, "combine"):
        if not facts.get("kernel"):
            return {"wrong": OURS["no kernel"]}
        if missing := [name for name in exercise.constants if name not in parameters]:
            return {"wrong": OURS.say("renamed", name=missing[0])}
    known, by_rows = known or Known(exercise), "rows" in exercise.settings
    want = [known.seen(exercise.right, k) for k in range(len(exercise.probes))]
    near = [nearness(exercise, probe) for probe in exercise.probes]
    agree = [same(got, right, close, by_rows) for got, right, close in zip(seen, want, near)]
    changed = next((one["changed"][0] for one in seen if one.get("changed") and "astray" not in one), None)
    if changed:
        key = "kernel changed" if exercise.kind in LAUNCHED else "function changed"
        return {"wrong": SAID.say(key, name=str(changed)[:40])}
    if all(agree):
        if any(one.get("undefined") for one in seen):
            return {"wrong": OURS["undefined"]}
        if said := laws.broken(exercise, seen, want, parameters):
            return {"wrong": said}
        return {"right": _launches(exercise)}
    first = agree.index(False)
    if said := named(exercise, known, seen, near, by_rows):
        return {"wrong": with_place(said, seen[first])}
    if "raised" in seen[first]:
        raised = seen[first]["raised"]
        if raised["type"] == "TypeError" and raised["message"].startswith(f"{exercise.name}()"):
            return {"wrong": OURS.say("parameters", name=exercise.name, parameters=", ".join(exercise.parameters))}
        return {"raised": raised, "launches": _launches(exercise)}
    return {"wrong": difference(seen[first], want[first], exercise.probes[first], near[first], exercise.kind)}


def _launches(exercise) -> list:
    """For the compiler: what each probe launches a kernel with."""
    launched = exercise.probes if exercise.kind in LAUNCHED else ()
    return [arguments_of(probe, exercise) for probe in launched]


def named(exercise, known: Known, seen: list[dict], near, by_rows) -> Text | None:
    """What is said of the simplest known mistake, or mistakes, that do on every probe what the learner's program did."""
    right = [same(seen[k], known.seen(exercise.right, k), near[k], by_rows) for k in range(len(seen))]
    first, *others = sorted(
        range(len(seen)), key=lambda k: (right[k], known.cost.get(k, 1))
    )  # what differs, and is quick
    apart = [nearness(exercise, probe, "apart") for probe in exercise.probes]
    suspects, began = set(), (time.process_time(), time.monotonic())

    def fits(program: str, k: int, chosen) -> bool:
        """Two mistakes explain a stray access only where the same rows were written all the same."""
        does = known.seen(program, k)
        alike = len(chosen) == 1 or "astray" not in does or does.get("rows") == seen[k].get("rows")
        return alike and same(seen[k], does, apart[k], by_rows)

    for chosen, program in exercise.programs():
        if time.process_time() - began[0] > PATIENCE or time.monotonic() - began[1] > 1.5 * PATIENCE:
            return None
        if len(chosen) == 2 and not suspects & set(map(id, chosen)):
            continue
        if fits(program, first, chosen):
            suspects.update(map(id, chosen) if len(chosen) == 1 else ())
            if all(fits(program, k, chosen) for k in others):
                return chosen[0].says
    return None
