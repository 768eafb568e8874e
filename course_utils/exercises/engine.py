"""How an answer is checked: found by name, run in a worker process, judged by a grader, answered in both languages.

A grader gets the learner's function and calls it on probes that unmask wrong answers. It returns when the answer is
right and raises `Wrong` with the mistake it recognises. Learner's code never runs in the notebook's own process: it may
loop for ever, exit, or write outside its memory.
"""

import ast
import html
import importlib
import inspect
import re
import sys
import textwrap
from collections.abc import Callable
from dataclasses import dataclass

from ..language import Text, blocks

SECONDS = 15


class Wrong(Exception):
    """A mistake that a grader recognised, said in both languages."""

    def __init__(self, zh: str, en: str):
        super().__init__(zh, en)


@dataclass(frozen=True)
class Exercise:
    name: str  # what the learner's cell defines
    grade: Callable  # called in the worker with what the learner defined
    right: Text  # what a right answer earns: one sentence worth knowing


@dataclass(frozen=True)
class Verdict:
    """What a check says: `status` is "not yet", "right" or "wrong"."""

    status: str
    text: Text

    _LOOK = {
        "not yet": ("…", "还没有", "Not yet", "#8a6d00"),
        "right": ("✓", "对了", "Right", "#1b7f4d"),
        "wrong": ("✗", "还不对", "Not right yet", "#b3541e"),
    }

    def __repr__(self) -> str:
        mark, zh, en, _ = self._LOOK[self.status]
        return f"{mark} {zh}：{self.text.zh}\n{mark} {en}: {self.text.en}"

    def _repr_html_(self) -> str:
        mark, zh, en, color = self._LOOK[self.status]
        said = [html.escape(text).replace("\n", "<br>") for text in (self.text.zh, self.text.en)]
        body = blocks(f"<b>{mark} {zh}</b>　{said[0]}", f"<b>{mark} {en}</b>&emsp;{said[1]}")
        return f'<div role="status" style="border-left:4px solid {color};padding:6px 12px;line-height:1.6">{body}</div>'


def find(identifier: str) -> Exercise:
    """The exercise called, say, "01.row_softmax": module nb01, entry row_softmax."""
    notebook, _, name = identifier.partition(".")
    try:
        return importlib.import_module(f"{__package__}.nb{notebook}").EXERCISES[name]
    except (ImportError, KeyError):
        raise LookupError(f"没有练习 {identifier!r}。\nThere is no exercise {identifier!r}.") from None


def untouched(function) -> bool:
    """Whether a stub still has the `...` that stands where the answer goes (in `x[..., 0]` it stands for something else)."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(getattr(function, "fn", function))))
    indices = {id(n) for node in ast.walk(tree) if isinstance(node, ast.Subscript) for n in ast.walk(node.slice)}
    dots = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and node.value is ...]
    return any(id(node) not in indices for node in dots)


def broken(name: str, cells: list[str]) -> SyntaxError | None:
    """The SyntaxError in the newest cell that was to define `name`. Python then keeps the older definition, if any."""
    for cell in reversed(cells):
        if re.search(rf"^\s*def {name}\b", cell, flags=re.M):
            try:
                ast.parse(cell)
            except SyntaxError as error:
                return error
            return None
    return None


def grade(identifier: str, answer) -> tuple[str, str] | None:
    """Runs in the worker: the mistake found, or None for a right answer."""
    try:
        find(identifier).grade(answer)
    except Wrong as mistake:
        return mistake.args
    return None


def judge(identifier: str, namespace: dict, run: Callable | None = None) -> Verdict:
    """What `check` would say of the answer in this namespace. `run` is how its grader is run: like `worker.run`."""
    from .. import worker

    run = run or worker.run
    exercise = find(identifier)
    if error := broken(exercise.name, namespace.get("In", [])):
        return Verdict(
            "wrong",
            Text(
                f"{exercise.name} 的单元格第 {error.lineno} 行有 SyntaxError：{error.msg}。改好并运行它，再来检查。",
                f"The cell of {exercise.name} has a SyntaxError in line {error.lineno}: {error.msg}. Mend and run it, then check again.",
            ),
        )
    answer = namespace.get(exercise.name)
    if answer is None:
        return Verdict(
            "not yet",
            Text(
                f"还没有 {exercise.name}。先运行上面的单元格；如果它报 SyntaxError，从它指出的那一行改起。",
                f"There is no {exercise.name} yet. Run the cell above; if it shows a SyntaxError, start at the line it names.",
            ),
        )
    if not callable(getattr(answer, "fn", answer)):
        return Verdict(
            "wrong",
            Text(
                f"{exercise.name} 现在是 {type(answer).__name__}，这里要的是一个函数（def {exercise.name}(…)）。",
                f"{exercise.name} is a {type(answer).__name__} now; a function is wanted here (def {exercise.name}(…)).",
            ),
        )
    try:
        if untouched(answer):
            return Verdict(
                "not yet",
                Text(
                    f"把 {exercise.name} 里的 ... 换成你的代码，再运行这一格。",
                    f"Replace the ... in {exercise.name} with your code, then run this cell again.",
                ),
            )
        mistake = run("course_utils.exercises.engine:grade", identifier, answer, mode="interpreter", seconds=SECONDS)
    except worker.WorkerError as failure:
        return Verdict("wrong", failure.text)
    except (OSError, TypeError, ValueError) as failure:
        return Verdict("wrong", Text(f"读不了你的函数：{failure}", f"Your function cannot be read: {failure}"))
    return Verdict("wrong", Text(*mistake)) if mistake else Verdict("right", exercise.right)


def check(identifier: str) -> Verdict:
    """Check the answer in the caller's notebook, such as `check("01.row_softmax")`."""
    return judge(identifier, sys._getframe(1).f_globals)
