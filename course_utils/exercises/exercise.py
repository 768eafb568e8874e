"""What an exercise is, and how it is found by the name that a notebook calls it by."""

import importlib
from collections.abc import Callable
from dataclasses import dataclass

from ..language import Text
from . import files

GONE = [
    "01.highest_safe_score",
    "02.unsafe_softmax_traffic",
    "02.upcast_ratio",
    "02.free_operations",
    "03.strided_kernel",
    "04.mended_kernel",
    "04.biased_kernel",
    "04.tail_time",
    "04.most_stages",
    "05.draw_waiting",
    "05.enough_programs",
    "05.prefetch_kernel",
    "06.waiting_benchmark",
    "07.pairs_kernel",
    "08.lengths_kernel",
    "08.lean_kernel",
    "10.log_softmax_backward_kernel",
    "10.ignoring_gradient_kernel",
]


@dataclass(frozen=True)
class Budget:
    """What a right kernel may take of the GPU that answers are compiled for: so many registers a thread, and no spills."""

    arguments: tuple  # of the launch it is compiled for
    constants: dict
    registers: int


@dataclass(frozen=True)
class Exercise:
    name: str  # what the learner's cell defines
    grade: Callable  # called in a worker with an `Answer`
    praise: Text  # what a right answer earns: one sentence worth knowing
    budget: Budget | None = None  # for a kernel, once it is right


def find(identifier: str) -> Exercise:
    """The exercise called, say, "01.row_softmax": module nb01, entry row_softmax."""
    notebook, _, name = identifier.partition(".")
    found = files.read(name)
    if found and found.notebook == notebook:
        return found
    try:
        return importlib.import_module(f"{__package__}.nb{notebook}").EXERCISES[name]
    except (ImportError, KeyError):
        if identifier in GONE:
            said = f"这一版没有 {identifier} 这道题了。\nThis edition has no exercise {identifier} any more."
        elif found:
            said = f"{identifier} 现在是 {found.identifier}。\n{identifier} is {found.identifier} now."
        else:
            said = f"没有练习 {identifier!r}。\nThere is no exercise {identifier!r}."
        raise LookupError(said) from None
