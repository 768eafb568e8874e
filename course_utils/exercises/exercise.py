"""What an exercise is, and how it is found by the name that a notebook calls it by."""

import importlib
from collections.abc import Callable
from dataclasses import dataclass

from ..language import Text


@dataclass(frozen=True)
class Budget:
    """What a right kernel may take of the GPU that answers are compiled for: so many registers a thread, no spills, and, where
    `narrow` is given, so many loads and so many stores of less than 16 bytes."""

    arguments: tuple  # of the launch it is compiled for
    constants: dict
    registers: int
    narrow: int | None = None


@dataclass(frozen=True)
class Exercise:
    name: str  # what the learner's cell defines
    grade: Callable  # called in a worker with an `Answer`
    right: Text  # what a right answer earns: one sentence worth knowing
    budget: Budget | None = None  # for a kernel, once it is right


def find(identifier: str) -> Exercise:
    """The exercise called, say, "01.row_softmax": module nb01, entry row_softmax."""
    notebook, _, name = identifier.partition(".")
    try:
        return importlib.import_module(f"{__package__}.nb{notebook}").EXERCISES[name]
    except (ImportError, KeyError):
        raise LookupError(f"没有练习 {identifier!r}。\nThere is no exercise {identifier!r}.") from None
