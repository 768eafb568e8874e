"""Judges what was handed in, an exercise of a learner at a time, in the same locked process as a notebook's check.

Opening a notebook runs nothing. What a learner wrote is parsed and run in a locked process (`course_utils.worker`) and
only as far as an exercise needs it (`answers`). The grader is in another process, computes the verdict from values, and this
one, the teacher's, reads plain data.
"""

import re
import time
from dataclasses import dataclass

from course_utils import worker
from course_utils.exercises import engine
from course_utils.language import Text
from course_utils.worker.portable import Packed, pack
from course_utils.worker.sandbox import NoSandbox

from .handed_in import ASKED, Notebook, plain

MARKS = {"right": "✓", "wrong": "✗", "not yet": "…", "missing": "–", "unjudged": "?"}
_PROGRAM = "<answer>"
_MOST_PROGRAM = 6000  # characters of a learner's program, where it is shown


@dataclass(frozen=True)
class Result:
    status: str
    text: Text
    program: str = ""  # what was judged, where it could not be


def judge(notebook: Notebook, name: str, seconds: float, memory_mb: int) -> Result:
    """Whatever happens while it is judged, there is a result. What did not end is not waited for again in this notebook."""
    began = time.monotonic()
    try:
        result = _judge(notebook, name, seconds, memory_mb)
        if result.status != "right" and time.monotonic() - began >= seconds:
            notebook.endless.append(name)
        return result
    except Exception as error:
        what = plain(f"{type(error).__name__}: {error}")
        return Result("unjudged", Text(f"判断时出了意外（{what}）。", f"Something went wrong while judging ({what})."))


def _judge(notebook: Notebook, name: str, seconds: float, memory_mb: int) -> Result:
    given = {"seconds": seconds, "memory_mb": memory_mb, "lock": "must"}
    arguments = (_cells_for(notebook, name), name, notebook.endless)
    identifier = f"{notebook.number}.{name}"
    packed = Packed(pack(arguments)[0], {_PROGRAM: ""})
    verdict, facts = engine.ask(identifier, "course_tools.grading.answers:load", packed, **given)
    status, text = _read(facts, name) or (verdict.status, verdict.text)
    if status == "wrong" and (lost := _lost(text, facts)):
        status, text = "unjudged", lost
    program = plain(str(facts.get("program", "")), _MOST_PROGRAM) if status == "unjudged" else ""
    return Result(status, Text(plain(text.zh, 1500), plain(text.en, 1500)), program)


def _cells_for(notebook: Notebook, name: str) -> list[list[str]]:
    """The cells to look for an answer in: those that ran before its check, or else all of them."""
    asks = [k for k, cell in enumerate(notebook.cells) if (notebook.number, name) in ASKED.findall(cell)]
    return [notebook.cells[: asks[-1]], notebook.cells] if asks else [notebook.cells]


def _read(facts: dict, name: str) -> tuple[str, Text] | None:
    """What is to be said of an answer that was not even called."""
    why, line = str(facts.get("why", "")), str(facts.get("line", ""))
    return {
        "missing": ("missing", Text(f"没有 {name}。", f"There is no {name}.")),
        "stub": ("not yet", Text(f"{name} 还没有动。", f"{name} has not been touched.")),
        "unreadable": ("wrong", Text(f"语法错误（{why}）：{line}", f"Syntax error ({why}): {line}")),
        "no function": ("wrong", Text(f"{name} 是 {why}，不是函数。", f"{name} is a {why}, no function.")),
        "unable": (
            "unjudged",
            Text(f"{name} 要用到的代码单独运行不了（{why}）。", f"What {name} needs does not run by itself ({why})."),
        ),
        "endless": (
            "unjudged",
            Text(
                f"{name} 用到的代码，上面那道没有按时结束的题也用到。没有再等一次。",
                f"{name} uses code that an answer above uses too, which did not end in time. It was not waited for again.",
            ),
        ),
    }.get(facts.get("status"))


def _lost(text: Text, facts: dict) -> Text | None:
    """For a NameError that may be ours: of a name that the notebook does define, somewhere that was not seen."""
    name = re.search(r"error: (\w+)(?: is unknown here|: did you mean)", text.en)
    if not name or name[1] not in facts.get("defined", ()):
        return None
    return Text(
        f"答案用到 {name[1]}，笔记本里定义它的地方没能单独取出来。",
        f"The answer uses {name[1]}, and what defines it could not be taken out of the notebook by itself.",
    )


def require_lock() -> None:
    """Sees the lock hold on this very system; raises `NoSandbox` where it does not."""
    job = {"seconds": 20, "memory_mb": 512, "lock": "must"}
    outcome = worker.attempt("course_tools.grading.escape:what_succeeds", **job)
    if outcome.error or outcome.value != []:
        raise NoSandbox(str(outcome.error.message or outcome.error.text.en) if outcome.error else f"{outcome.value}")
