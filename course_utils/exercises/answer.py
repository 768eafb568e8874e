"""A learner's answer as a grader holds it: it looks like the function or kernel, and lives in a locked process.

Calling it sends copies of the arguments there and brings the value back. A grader so computes its verdict from values on its
own side, with inputs that the learner's code never held; and whether the copies came back changed is seen, and refused.
"""

import numpy as np
import torch

from ..worker.plain import cut
from ..worker.pupil import Fallen, Pupil
from .wrong import Refused

_HERE = __name__


class Answer:
    def __init__(self, pupil: Pupil):
        self.pupil = pupil
        facts = pupil.facts if isinstance(pupil.facts, dict) else {}
        self.is_kernel = facts.get("kernel") is True
        names = facts.get("parameters")
        self.parameters = [name for name in names if str(name).isidentifier()] if isinstance(names, list) else []
        self.launches: list[tuple] = []  # what a kernel was launched with, for whoever wants to compile it
        self.undefined = False  # whether a result of it rests on what a masked load without `other` leaves behind

    def __call__(self, *arguments, **named):
        value, after = _pair(self.pupil.apply(f"{_HERE}:call", arguments, named, again=True))
        given = [*arguments, *named.values()]
        for position, (before, now) in enumerate(zip(given, after)):
            if not _unchanged(before, now):
                name = (self.parameters[position : position + 1] or ["?"])[0] if position < len(arguments) else "?"
                raise _changed(before, cut(name, 40))
        return value

    @property
    def fn(self):
        """What graders ask to see whether it is a kernel: only those have one."""
        if not self.is_kernel:
            raise AttributeError("fn")
        return self

    def parameter(self, position: int) -> str:
        return cut(self.parameters[position], 40) if position < len(self.parameters) else "?"


def _pair(told) -> tuple:
    if not isinstance(told, tuple) or len(told) != 2 or not isinstance(told[1], list):
        raise Fallen("meddled")
    return told


def call(answer, arguments, named):
    """Over there: calls it, and tells its value and what became of those arguments that could have been changed."""
    value = answer(*arguments, **named)
    return value, [each if isinstance(each, _CHANGEABLE) else None for each in (*arguments, *named.values())]


_CHANGEABLE = (torch.Tensor, np.ndarray, list, dict, set)


def _unchanged(before, now) -> bool:
    if isinstance(before, torch.Tensor):
        return isinstance(now, torch.Tensor) and before.dtype == now.dtype and same(before, now)
    if isinstance(before, np.ndarray):
        return isinstance(now, np.ndarray) and np.array_equal(before, now, equal_nan=before.dtype.kind == "f")
    return not isinstance(before, _CHANGEABLE) or before == now


def same(a: torch.Tensor, b: torch.Tensor) -> bool:
    """Equal to the last bit, NaN included."""
    if a.shape != b.shape or not a.is_floating_point():
        return a.shape == b.shape and torch.equal(a, b)
    return torch.equal(a.isnan(), b.isnan()) and torch.equal(torch.nan_to_num(a, nan=0), torch.nan_to_num(b, nan=0))


def _changed(thing, name: str) -> Refused:
    if isinstance(thing, torch.Tensor | np.ndarray):
        return Refused(
            f"你的函数改动了输入 {name}。别用原地操作（名字以 _ 结尾的，或 -=）。",
            f"Your function changed its input {name}. Avoid in-place operations (names that end in _, or -=).",
        )
    return Refused(
        f"你的函数改动了传给它的 {name}：pop、sort、append 改的都是调用者的那一份。先复制，例如 list({name})、sorted({name})。",
        f"Your function changed the {name} that it was given: pop, sort and append change the caller's own. Work on a copy, such "
        f"as list({name}) or sorted({name}).",
    )
