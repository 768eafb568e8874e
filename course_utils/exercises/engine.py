"""How an answer is checked: found by name, run in a locked process, judged by a grader, answered in both languages.

A grader gets something that looks like the learner's function (`answer.Answer`) and calls it on probes that unmask wrong
answers. It returns when the answer is right and raises `Wrong` with the mistake it recognises. The grader runs in a worker
process, the learner's code in a locked one below it (`judging`), and this process gets the verdict as plain data. So
learner's code neither reaches the notebook, where it may loop for ever, exit, or write outside its memory, nor has a say in
what is concluded of it.
"""

import importlib  # noqa: F401  tests/test_exercises.py finds it here
import sys
import time

from ..language import Text
from .exercise import Exercise, find
from .verdict import Verdict
from .written import broken, not_yet
from .wrong import Wrong

__all__ = ["Exercise", "Verdict", "Wrong", "ask", "check", "find", "judge"]

SECONDS = 15  # the learner's code, all calls of a check together
MEMORY_MB = 2048
_ALWAYS = 19.0  # seconds for all of a check, the compiler included


def check(identifier: str) -> Verdict:
    """Check the answer in the caller's notebook, such as `check("01.row_softmax")`."""
    return judge(identifier, sys._getframe(1).f_globals)


def judge(identifier: str, namespace: dict) -> Verdict:
    """What `check` says of the answer in this namespace."""
    from .. import worker
    from ..worker.portable import pack

    exercise = find(identifier)
    if verdict := broken(exercise.name, namespace.get("In", [])) or not_yet(exercise.name, namespace):
        return verdict
    try:
        data, texts = pack(namespace[exercise.name])
    except worker.NotPortable as failure:
        return Verdict("wrong", failure.text)
    return ask(identifier, f"{__package__}.judging:unpacked", (data,), texts)[0]


def ask(
    identifier: str, load: str, arguments: tuple, texts: dict, *, seconds=None, memory_mb=MEMORY_MB, lock="try"
) -> tuple[Verdict, dict]:
    """The verdict on an answer, and what is known of it. `load` makes the answer of `arguments`, in the locked process."""
    from .. import worker
    from ..worker.errors import NotStarted

    began, seconds = time.monotonic(), SECONDS if seconds is None else seconds
    limits = {"seconds": seconds, "memory_mb": memory_mb, "lock": lock}
    job = (identifier, load, arguments, limits, texts)
    outcome = worker.attempt(f"{__package__}.judging:grade", *job, seconds=seconds + 1, memory_mb=None, lock="none")
    if outcome.error:
        status = "unjudged" if isinstance(outcome.error, NotStarted) else "wrong"
        return Verdict(status, outcome.error.text), {}
    told = outcome.value
    if "right" in told:
        left = _ALWAYS - 3 - (time.monotonic() - began)
        return _after_compiling(find(identifier), told, max(1.0, left), lock), told["facts"]
    return _said(told, outcome, texts, limits), told.get("facts", {})


def _after_compiling(exercise: Exercise, told: dict, seconds: float, lock: str) -> Verdict:
    if told["right"] and told["packed"]:
        from .compiled import over, refusal

        said = refusal(told["packed"], told["right"], seconds, lock)
        if not said and getattr(exercise, "budget", None):
            said = over(told["packed"], exercise.budget, seconds, lock)
        if said:
            return Verdict("wrong", said)
    return Verdict("right", exercise.praise)


def _said(told: dict, outcome, texts: dict, limits: dict) -> Verdict:
    from ..worker.errors import Described, meddled, not_started, verdict
    from ..worker.pipe import Ended

    if "wrong" in told:
        return Verdict("wrong", Text(*told["wrong"]))
    if "fallen" in told:
        fall = told["fallen"]
        printed = {"stdout": outcome.stdout, "stderr": outcome.stderr}
        if fall["how"] == "meddled":
            return Verdict("wrong", meddled(printed).text)
        raised = Described(**fall["raised"]) if fall["raised"] else None
        ended = Ended(fall["how"], fall["status"], fault=fall["fault"], **printed)
        text = verdict(ended, raised, texts, limits["seconds"], limits["memory_mb"]).text
        return Verdict("unjudged" if fall["how"] == "no jail" else "wrong", text)
    if "not started" in told:
        return Verdict("unjudged", not_started(OSError(*told["not started"])).text)
    what = told.get("puzzled", "")
    return Verdict(
        "unjudged",
        Text(
            f"你的函数返回的东西，这个检查看不懂（{what}）。",
            f"This check does not understand what your function returns ({what}).",
        ),
    )
