"""Who solved what: reads learners' notebooks in a folder, judges every exercise in a locked process, prints a table.

    python -m course_tools.grading FOLDER

Opening a notebook runs nothing. What a learner wrote is parsed and run in a locked child (`locked`, `jail`) and only as far
as an exercise needs it (`answers`). A learner who sets out to deceive the grader can: it runs in the same child as the
code that it judges. The report is for teaching, not for exams.
"""

import os
import tempfile
import unicodedata
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from course_utils.exercises import engine
from course_utils.language import Text

from .answers import Unreadable, needed
from .handed_in import ASKED, Notebook, exercises, find, learners, plain
from .jail import Filter, NoJail
from .locked import Ended, run

_ANSWER = "<answer>"
MARKS = {"right": "✓", "wrong": "✗", "not yet": "…", "missing": "–"}


@dataclass(frozen=True)
class Result:
    status: str
    text: Text


def _cells_for(notebook: Notebook, name: str) -> list[list[str]]:
    """The cells to look for an answer in: those that ran before its check, or else all of them."""
    asks = [k for k, cell in enumerate(notebook.cells) if (notebook.number, name) in ASKED.findall(cell)]
    return [notebook.cells[: asks[-1]], notebook.cells] if asks else [notebook.cells]


def _describe(error: BaseException) -> Text:
    while type(error).__name__ == "InterpreterError" and error.__cause__ is not None:
        error = error.__cause__  # Triton's interpreter wraps what the kernel raised
    what = f"{type(error).__name__}: {error}"
    return Text(f"代码出错了：{what}", f"The code raised an error: {what}")


def _grade(_, identifier: str, answer, **__):
    """Stands in for `worker.run`: this process is the worker already."""
    from course_utils.worker import Raised

    try:
        return engine.grade(identifier, answer)
    except BaseException as error:
        raise Raised(_describe(error)) from None


def _judge(identifier: str, looked_in: list[list[str]]) -> list[str]:
    """Runs locked in. From here on, learners' text is parsed and run."""
    from course_utils.worker.source import remember

    exercise = engine.find(identifier)
    namespace = {"__name__": "__main__"}
    try:
        text = next((text for cells in looked_in if (text := needed(cells, exercise.name)) is not None), None)
        if text is None:
            missing = Text(f"没有 {exercise.name}。", f"There is no {exercise.name}.")
            return ["missing", missing.zh, missing.en]
        remember(_ANSWER, text)
        exec(compile(text, _ANSWER, "exec"), namespace)
    except Unreadable as error:
        return ["wrong", f"语法错误（{error}）：{error.line}", f"Syntax error ({error}): {error.line}"]
    except BaseException as error:
        return ["wrong", *vars(_describe(error)).values()]
    verdict = engine.judge(identifier, namespace, run=_grade)
    return [verdict.status, verdict.text.zh, verdict.text.en]


def judge(notebook: Notebook, name: str, seconds: float, memory_mb: int, filter: Filter) -> Result:
    identifier = f"{notebook.number}.{name}"
    ended = run(_judge, identifier, _cells_for(notebook, name), seconds=seconds, memory_mb=memory_mb, filter=filter)
    if ended.how == "answered" and isinstance(ended.value, list) and len(ended.value) == 3:
        status, zh, en = map(str, ended.value)
        if status in MARKS:
            return Result(status, Text(plain(zh), plain(en)))
    return Result("wrong", _stopped(ended, seconds))


def _stopped(ended: Ended, seconds: float) -> Text:
    if ended.how == "late":
        return Text(f"运行了 {seconds:g} 秒还没有结束，已停止。", f"Had not ended after {seconds:g} s and was stopped.")
    if ended.how == "flood":
        return Text("打印个不停，已停止。", "Printed without end and was stopped.")
    return Text(f"进程中途退出了（{ended.status}）。", f"Its process ended early ({ended.status}).")


def width(text: str) -> int:
    """How many columns a terminal needs: Chinese characters take two."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def _row(columns: list[str], widths: list[int]) -> str:
    return "  ".join(text + " " * (wide - width(text)) for text, wide in zip(columns, widths, strict=True)).rstrip()


def _try_to_escape(target: str) -> list[str]:
    """Runs locked in: what the lock failed to stop."""
    import socket

    def succeeds(action, *arguments) -> bool:
        try:
            return action(*arguments) is not None or True
        except OSError:
            return False

    attempts = {"network": (socket.socket,), "deletion": (os.remove, target), "writing": (open, target, "w")}
    return [name for name, attempt in {**attempts, "process": (os.fork,)}.items() if succeeds(*attempt)]


def locked_filter() -> Filter:
    """A filter that was seen to hold on this very system; raises `NoJail` where there is none."""
    filter = Filter()
    with tempfile.NamedTemporaryFile() as target:
        ended = run(_try_to_escape, target.name, seconds=20, memory_mb=512, filter=filter)
    if ended.value != []:
        raise NoJail(f"seccomp: {ended.value or ended.status}")
    return filter


def report(folder: Path, seconds: float = engine.SECONDS, memory_mb: int = 2048, language: str = "both") -> str:
    """The report as text. `seconds` and `memory_mb` are what each exercise of each learner gets."""
    filter, notebooks = locked_filter(), find(folder)
    names, lines, why = learners(folder, notebooks), [], []
    for number in sorted({n.number for n in notebooks if not n.trouble}):
        asked = exercises(number)
        table = [["学生 · learner", *asked, "✓"]]
        solved = Counter()
        for notebook in (n for n in notebooks if n.number == number and not n.trouble):
            results = {name: judge(notebook, name, seconds, memory_mb, filter) for name in asked}
            solved.update(name for name in asked if results[name].status == "right")
            right = sum(result.status == "right" for result in results.values())
            marks = [MARKS[result.status] for result in results.values()]
            table.append([names[notebook.path], *marks, f"{right}/{len(asked)}"])
            for name, result in results.items():
                if result.status == "wrong":
                    why.append((f"{names[notebook.path]} · {number}.{name}", result.text))
        table.append(["共 · solved", *[f"{solved[name]}/{len(table) - 1}" for name in asked], ""])
        widths = [max(width(row[k]) for row in table) for k in range(len(table[0]))]
        lines += [f"[{number}]", *(_row(row, widths) for row in table), ""]
    if lines:
        lines += [
            "✓ 对 right   ✗ 不对 wrong   … 还没写 not yet   – 没有 missing",
            f"每题至多 {seconds:g} 秒、{memory_mb} MB；学生的代码连不上网，也改不了任何文件。",
            f"At most {seconds:g} s and {memory_mb} MB each; learners' code reached no network and changed no file.",
            "",
        ]
    why += [(names[n.path], n.trouble) for n in notebooks if n.trouble]
    for who, text in why:
        said = [text.zh, text.en] if language == "both" else [getattr(text, language)]
        lines += [who, *("    " + line for one in said for line in one.splitlines())]
    return "\n".join(lines)
