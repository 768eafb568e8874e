"""How an answer is checked: found by name, run in a locked process, judged in another, answered in both languages.

The learner's code runs on all probes at once (`locked`), and what it did there comes back as plain data. `judging` holds that
against what the right program does. So learner's code neither reaches the notebook, where it may loop for ever, exit, or
write outside its memory, nor has a say in what is concluded of it.
"""

import sys
import time

from ..language import Text
from .files import LAUNCHED, Exercise, find
from .sayings import Sayings
from .verdict import Verdict
from .written import broken, not_yet, refused

__all__ = ["Exercise", "Verdict", "ask", "check", "find", "judge"]

SECONDS = 15  # the learner's code, on all probes together
MEMORY_MB = 2048
_ALWAYS = 19.0  # seconds for all of a check, the compiler included
OURS = Sayings("""
not run
没有运行。
It was not run.

puzzled
你的函数返回的东西，这个检查看不懂（{what}）。
This check does not understand what your function returns ({what}).

interpreter
{said}⏎编译器能编译它；检查用的解释器做不了这一步。换一种写法：load 写成 tl.load，exp 写成 tl.exp，float 上不用 atomic_xchg。
{said}⏎The compiler can, but the interpreter that checks it can't do this. Write it another way: load as tl.load, exp as tl.exp, no atomic_xchg on floats.
""")


def check(identifier: str) -> Verdict:
    """Check the answer in the caller's notebook, such as `check("01.row_softmax")`."""
    return judge(identifier, sys._getframe(1).f_globals)


def judge(identifier: str, namespace: dict) -> Verdict:
    """What `check` says of the answer in this namespace."""
    from .. import worker
    from ..worker.portable import Packed, pack

    exercise = find(identifier)
    if verdict := broken(exercise.name, namespace.get("In", [])) or not_yet(exercise.name, namespace):
        return verdict
    if verdict := refused(namespace[exercise.name]):
        return verdict
    try:
        packed = Packed(*pack((namespace[exercise.name],)))
    except worker.NotPortable as failure:
        return Verdict("wrong", failure.text)
    return ask(identifier, f"{__package__}.locked:as_sent", packed)[0]


def ask(identifier: str, load: str, packed, *, seconds=None, memory_mb=MEMORY_MB, lock="try") -> tuple[Verdict, dict]:
    """The verdict on an answer, and what is known of it. `load` makes the answer of what is packed, in the locked process."""
    from .. import worker

    began, seconds, exercise = time.monotonic(), SECONDS if seconds is None else seconds, find(identifier)
    limits = {"seconds": seconds, "memory_mb": memory_mb, "lock": lock}
    told = worker.attempt(f"{__package__}.locked:seen", load, packed, exercise, **limits)
    if told.error:
        status = "unjudged" if told.error.kind == "never started" else "wrong"
        return Verdict(status, told.error.text), {}
    facts, seen, kernel = told.value if _is_told(told.value) else ({}, [], None)
    if len(seen) != len(exercise.probes):
        return Verdict("unjudged", OURS["not run"]), facts
    left = max(8.0, _ALWAYS - (time.monotonic() - began))
    how = {"seconds": left, "memory_mb": None, "lock": "none", "returns": (Text,)}
    judged = worker.attempt(f"{__package__}.judging:judge_by_name", identifier, seen, facts, **how)
    if judged.error:  # the answer was nothing that the judge was ready for
        return Verdict("unjudged", OURS.say("puzzled", what=f"{judged.error.type}: {judged.error.message}")), facts
    if "wrong" in judged.value:
        return Verdict("wrong", judged.value["wrong"]), facts
    left = max(1.0, _ALWAYS - 3 - (time.monotonic() - began))
    if "raised" in judged.value:
        from .compiled import compiles

        raised = judged.value["raised"]
        said = worker.explained(raised, memory_mb)
        # A GPU ends there, too, or is told what is not so.
        ends = raised["type"] in ("AssertionError", "ZeroDivisionError")
        ends |= any(word in raised["message"] for word in ("range()", "tl.multiple_of"))
        if not ends and _is_kernel(exercise, kernel) and compiles(kernel, judged.value["launches"], left, lock):
            return Verdict("unjudged", OURS.say("interpreter", said=said)), facts
        return Verdict("wrong", said), facts
    return _compiled(exercise, kernel, judged.value["right"], left, lock), facts


def _is_told(value) -> bool:
    return isinstance(value, tuple) and [type(each) for each in value[:2]] == [dict, list] and len(value) == 3


def _compiled(exercise: Exercise, kernel, launches: list, seconds: float, lock: str) -> Verdict:
    if _is_kernel(exercise, kernel):
        from .compiled import over, refusal

        said = refusal(kernel, launches, seconds, lock)
        if not said and exercise.budget:
            said = over(kernel, exercise.budget, seconds, lock)
        if said:
            return Verdict("wrong", said)
    return Verdict("right", exercise.praise)


def _is_kernel(exercise: Exercise, kernel) -> bool:
    return exercise.kind in LAUNCHED and isinstance(kernel, tuple) and isinstance(kernel[0], bytes)
