"""Predict, then run: the learner commits to an answer before the result is shown."""

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ..language import Text, blocks, code, spans
from .cards import cards
from .files import value_of

_LETTERS = "ABCDEF"
PREDICTED = Path(__file__).parent / "predicted"


@dataclass(frozen=True)
class Option:
    value: object  # of the measurement that it stands for; None if it stands for none
    says: Text
    because: Text  # shown when the learner chose this one: what was right about it, and what was not


@dataclass(frozen=True)
class Question:
    """`find` gives the result, or several values of which the first decides; the option nearest to it is the right one."""

    find: Callable[[], object]
    result: Text  # with places in braces for what was found
    options: list[Option]


@functools.cache
def questions(notebook: str) -> dict[str, Question]:
    """Those of `predicted/NN.txt` by their names: "name = result" (or "name", which `measured` finds), what is said of the result
    ("zh | en"), then three lines for each option: "value: zh | en", "–" for no value, and what is shown to whoever chose it."""
    from .measured import FOUND  # a check needs none of what that imports

    found = {}
    for paragraph in (PREDICTED / f"{notebook}.txt").read_text(encoding="utf-8").strip().split("\n\n"):
        first, result, *lines = paragraph.splitlines()
        name, _, known = first.partition(" = ")
        options = []
        for option, zh, en in zip(lines[::3], lines[1::3], lines[2::3], strict=True):
            value, _, says = option.partition(": ")
            options.append(Option(None if value == "–" else value_of(value), Text(*says.split(" | ")), Text(zh, en)))
        find = functools.partial(value_of, known) if known else FOUND[f"{notebook}.{name}"]
        found[name] = Question(find, Text(*result.split(" | ")), options)
    return found


def _distance(value, measured) -> float:
    if value == measured or (value != value and measured != measured):
        return 0.0
    numbers = isinstance(value, int | float) and isinstance(measured, int | float)
    apart = abs(value - measured) if numbers else math.inf
    return apart if math.isfinite(apart) else math.inf


class Prediction:
    """Shows as cards where a kernel lives, and as a fold-out anywhere else."""

    def __init__(self, question: Question):
        found = question.find()
        found = found if isinstance(found, tuple) else (found,)
        self.options, halves = question.options, (question.result.zh, question.result.en)
        self.right = min(range(len(self.options)), key=lambda k: _distance(self.options[k].value, found[0]))
        said = [half.format(*found) for half in halves]
        self.result = Text(*(half if isinstance(found[0], list) else half.replace("-", "−") for half in said))

    def feedback(self, chosen: int) -> str:
        mark = "✓" if chosen == self.right else "✗"
        because = self.options[chosen].because
        answer = _LETTERS[self.right]
        return blocks(
            f"<b>{mark} 你选了 {_LETTERS[chosen]}，答案是 {answer}。</b>{code(because.zh)}<br>{code(self.result.zh)}",
            f"<b>{mark} You chose {_LETTERS[chosen]}; the answer is {answer}.</b> {code(because.en)}<br>{code(self.result.en)}",
        )

    def _listing(self) -> str:
        rows = "".join(
            f'<div style="margin:2px 0"><b>{letter}</b>&emsp;{spans(code(option.says.zh), code(option.says.en))}</div>'
            for letter, option in zip(_LETTERS, self.options)
        )
        return f'<div style="line-height:1.6">{rows}</div>'

    def _still(self) -> str:
        summary = spans("先选一个，再展开看答案", "Choose one, then open the answer")
        return f"{self._listing()}<details><summary>{summary}</summary>{self.feedback(self.right)}</details>"

    def __repr__(self) -> str:
        lines = [f"{letter}  {option.says.zh} · {option.says.en}" for letter, option in zip(_LETTERS, self.options)]
        return "\n".join([*lines, f"→ {_LETTERS[self.right]}: {self.result.zh} · {self.result.en}"])

    def widget(self):
        options = [spans(code(option.says.zh), code(option.says.en)) for option in self.options]
        return cards(_LETTERS, options, self.right, self.feedback)

    def _repr_mimebundle_(self, **_):
        bundle = dict(self.widget()._repr_mimebundle_())
        return bundle | {"text/plain": repr(self), "text/html": self._still()}


def predict(identifier: str) -> Prediction:
    """The question called, say, "01.overflow"."""
    notebook, _, name = identifier.partition(".")
    return Prediction(questions(notebook)[name])
