"""What an exercise is, and how it is found by the name that a notebook calls it by."""

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ..language import Text
from . import files
from .budget import Budget

GONE = [  # of earlier editions
    "04.mended_kernel", "highest_safe_score", "unsafe_softmax_traffic", "upcast_ratio", "free_operations", "strided_kernel",
    "biased_kernel", "tail_time", "most_stages", "draw_waiting", "enough_programs", "prefetch_kernel", "waiting_benchmark",
    "pairs_kernel", "lengths_kernel", "lean_kernel", "log_softmax_backward_kernel", "ignoring_gradient_kernel",
    "grouped_kernel",
]  # fmt: skip


@dataclass(frozen=True)
class Exercise:
    name: str  # what the learner's cell defines
    grade: Callable  # called in a worker with an `Answer`
    praise: Text  # what a right answer earns: one sentence worth knowing
    budget: Budget | None = None  # for a kernel, once it is right


def find(identifier: str) -> Exercise:
    """The exercise called, say, "01.row_softmax"."""
    notebook, _, name = identifier.partition(".")
    found = files.read(name)
    if found and found.notebook == notebook:
        return found
    try:
        return importlib.import_module(f"{__package__}.nb{notebook}").EXERCISES[name]
    except (ImportError, AttributeError, KeyError):
        raise LookupError(_not_found(identifier, name)) from None


def _not_found(identifier: str, name: str) -> str:
    if gone(identifier):
        return f"这一版没有 {identifier} 这道题了。\nThis edition has no exercise {identifier} any more."
    for now in _called(name):
        return f"{identifier} 现在是 {now}。\n{identifier} is {now} now."
    return f"没有练习 {identifier!r}。\nThere is no exercise {identifier!r}."


def gone(identifier: str) -> bool:
    return identifier in GONE or identifier.partition(".")[2] in GONE


def _called(name: str) -> list[str]:
    """The exercises of this name, whichever notebook asks them: notebooks change places."""
    graded = (module.stem for module in sorted(Path(__file__).parent.glob("nb??.py")))
    graded = [
        nb[2:] for nb in graded if name in getattr(importlib.import_module(f"{__package__}.{nb}"), "EXERCISES", {})
    ]
    return [f"{notebook}.{name}" for notebook in graded] + ([files.read(name).identifier] if files.read(name) else [])
