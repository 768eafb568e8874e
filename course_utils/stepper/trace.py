"""Everything one program of a kernel did, line by line, as plain data.

A step is a statement that has run, with what it changed and what it touched in memory. Values are kept once, at the step
that made them, so a loop costs what it computes and no more.
"""

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ..interpreter.values import Value
from .statements import Source


@dataclass(frozen=True)
class Touch:
    """What a step did to one tensor argument: flat lanes in the order of the block."""

    kind: str  # load, store, atomic
    tensor: str
    offsets: np.ndarray  # of the lanes that the mask let through, in elements from the tensor's start
    inside: np.ndarray  # which of them hit the tensor
    lanes: int  # of the whole block, masked ones too


@dataclass(frozen=True)
class Step:
    kind: str  # enter: the arguments have arrived; line: a statement has run; raise: it raised
    function: str
    line: int
    frame: int
    callers: tuple[tuple[str, int], ...]  # function and line of those who called, outermost first
    changed: tuple[str, ...]
    touches: tuple[Touch, ...] = ()


@dataclass(frozen=True)
class Held:
    """A value, and which of its lanes hold nothing but padding: those whose loads were all masked off."""

    value: Value
    padding: np.ndarray | None = None


@dataclass
class TensorBefore:
    """A tensor argument as the program found it, laid out by offset from its first element."""

    name: str
    shape: tuple[int, ...]
    stride: tuple[int, ...]
    dtype: str
    data: np.ndarray
    owned: np.ndarray
    memory: int  # tensors with the same number share memory …
    start: int  # … in which they begin here


@dataclass
class Trace:
    kernel: str
    program: tuple[int, int, int]
    grid: tuple[int, int, int] = (1, 1, 1)
    steps: list[Step] = field(default_factory=list)
    sources: dict[str, Source] = field(default_factory=dict)
    tensors: list[TensorBefore] = field(default_factory=list)
    stopped: str = ""  # steps, bytes or seconds: the bound at which the trace stopped
    error: str = ""  # what the kernel raised
    history: list[dict[str, tuple[list[int], list[Held]]]] = field(default_factory=list)  # of each frame
    # step, (memory, dtype), elements of that memory, their new values
    writes: list[tuple] = field(default_factory=list)

    def values(self, index: int) -> dict[str, Held]:
        """The variables of the function that step `index` is in, as they are after it."""
        found = {}
        for name, (steps, values) in self.history[self.steps[index].frame].items():
            latest = bisect_right(steps, index) - 1
            if latest >= 0:
                found[name] = values[latest]
        return found

    def later(self, index: int) -> dict[str, Held]:
        """What that function is yet to name, as it will first be."""
        history = self.history[self.steps[index].frame].items()
        return {name: values[0] for name, (steps, values) in history if steps[0] > index}

    def contents(self, tensor: TensorBefore, index: int) -> np.ndarray:
        """What the tensor holds after step `index`."""
        data = tensor.data.copy()
        steps, elements, values = self._written.get((tensor.memory, tensor.dtype), (np.zeros(0), None, None))
        until = np.searchsorted(steps, index, side="right")
        if until:
            here = elements[:until] - tensor.start
            fits = (here >= 0) & (here < data.size)
            data[here[fits]] = values[:until][fits]  # of several writes to one element, the last stays
        return data

    def last_touched(self, tensor: TensorBefore, index: int) -> np.ndarray:
        """The elements that the latest step up to `index` to touch this tensor touched."""
        steps = self._touched.get(tensor.name, [])
        latest = bisect_right(steps, index) - 1
        touches = self.steps[steps[latest]].touches if latest >= 0 else ()
        found = [touch.offsets[touch.inside] for touch in touches if touch.tensor == tensor.name]
        return np.concatenate(found) if found else np.zeros(0, dtype=np.int64)

    # Made when first looked at, so that a move takes no longer at the end of a long trace than at its start.

    @cached_property
    def _written(self) -> dict[tuple, tuple[np.ndarray, np.ndarray, np.ndarray]]:
        parts: dict[tuple, tuple[list, list, list]] = {}
        for step, memory, elements, values in self.writes:
            steps, places, held = parts.setdefault(memory, ([], [], []))
            steps.append(np.full(elements.size, step))
            places.append(elements)
            held.append(values)
        return {memory: tuple(map(np.concatenate, lists)) for memory, lists in parts.items()}

    @cached_property
    def _touched(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for number, step in enumerate(self.steps):
            for name in {touch.tensor for touch in step.touches}:
                found.setdefault(name, []).append(number)
        return found


TRACED = (Trace, Step, Touch, Held, Value, TensorBefore, Source)  # what a trace is made of
