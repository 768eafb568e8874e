"""Predict, then run: the learner commits to an answer before the result is shown."""

import importlib
from collections.abc import Callable
from dataclasses import dataclass

from ..language import Text, blocks, code, spans
from .cards import cards

_LETTERS = "ABCDEF"


@dataclass(frozen=True)
class Option:
    says: Text
    because: Text  # shown when the learner chose this one: what was right about it, and what was not


class Options(dict):
    """The choices of a module's questions by their keys, from plain text: a key, then three lines for each choice.

    The first is what it says (`zh | en`), the others what was right about it, and what was not."""

    def __init__(self, table: str):
        for paragraph in table.strip().split("\n\n"):
            key, *lines = paragraph.splitlines()
            choices = zip(lines[::3], lines[1::3], lines[2::3], strict=True)
            self[key] = [Option(Text(*says.split(" | ")), Text(zh, en)) for says, zh, en in choices]


@dataclass(frozen=True)
class Question:
    """`measure` computes the result, `options` are the choices (or find them from it), `right` the place of the true one."""

    measure: Callable[[], object]
    options: list[Option] | Callable[[object], list[Option]]
    right: Callable[[object], int]
    result: Callable[[object], Text]


class Prediction:
    """Shows as cards where a kernel lives, and as a fold-out anywhere else."""

    def __init__(self, question: Question):
        measured = question.measure()
        self.options = question.options(measured) if callable(question.options) else question.options
        self.right = question.right(measured)
        self.result = question.result(measured)

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
    """The question called, say, "01.overflow": module nb01, entry overflow."""
    notebook, _, name = identifier.partition(".")
    return Prediction(importlib.import_module(f"{__package__}.nb{notebook}").QUESTIONS[name])
