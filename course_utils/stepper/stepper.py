"""A program of a kernel, stepped through: its moments for code, its pictures and buttons for readers."""

from dataclasses import dataclass

import numpy as np

from ..interpreter.arguments import Arguments
from ..interpreter.elsewhere import interpreted
from ..language import both
from .strips import short
from .trace import TRACED, Step, Trace
from .tracer import MOST_SECONDS
from .view import program_name, render, stopped
from .widget import Moving


def step(kernel, grid, program, /, *args, **constexprs) -> "Steps":
    """Run `kernel[grid](*args, **constexprs)` and keep every line of program number `program` (a number or a tuple)."""
    job = (kernel, grid, program, Arguments.copy(args, constexprs))
    trace = "course_utils.stepper.tracer:trace_program"
    return Steps(interpreted(trace, *job, seconds=MOST_SECONDS + 60, returns=TRACED))


@dataclass(frozen=True)
class Moment:
    """One step, for code: its line, what it changed, and every variable as it is after it."""

    trace: Trace
    index: int

    @property
    def step(self) -> Step:
        return self.trace.steps[self.index]

    @property
    def line_number(self) -> int:
        return self.step.line

    @property
    def line(self) -> str:
        return self.trace.sources[self.step.function].line(self.step.line).strip()

    @property
    def changed(self) -> tuple[str, ...]:
        return self.step.changed

    @property
    def values(self) -> dict[str, object]:
        """Numbers and numpy arrays; a pointer as (name of its tensor, offset in elements)."""
        held = {name: item.value for name, item in self.trace.values(self.index).items()}
        return {name: (v.tensor, v.data) if v.kind == "pointer" else v.data for name, v in held.items()}

    @property
    def tensors(self) -> dict[str, np.ndarray]:
        """The tensor arguments as they are after this step."""
        found = {}
        for tensor in self.trace.tensors:
            flat = self.trace.contents(tensor, self.index)
            strides = tuple(stride * flat.itemsize for stride in tensor.stride)
            found[tensor.name] = np.lib.stride_tricks.as_strided(flat, tensor.shape, strides)
        return found

    def __repr__(self) -> str:
        text = f"{self.index}: {self.step.function} {self.line_number}: {self.line}"
        return "\n".join([text, *(f"    {name} = {_brief(self.values[name])}" for name in self.changed)])

    def _repr_html_(self) -> str:
        return render(self.trace, self.index)


class Steps(Moving):
    """The steps of one program. A sequence for code; in a notebook, something to move through."""

    def __init__(self, trace: Trace, start: int = 0):
        self.trace = trace
        self.start = start

    def __len__(self) -> int:
        return len(self.trace.steps)

    def __getitem__(self, index: int) -> Moment:
        if not -len(self) <= index < len(self):
            raise IndexError(both(f"只有 {len(self)} 步，从 0 数起。", f"There are {len(self)} steps, counted from 0."))
        return Moment(self.trace, index % len(self))

    def at(self, where: int | str) -> "Steps":
        """The same steps, opened at one of them: its number, or a piece of the text of its line."""
        if isinstance(where, int):
            return Steps(self.trace, self[where].index)
        for moment in self:
            if where in moment.line and moment.step.kind != "enter":
                return Steps(self.trace, moment.index)
        raise ValueError(both(f"没有执行过含有 {where!r} 的行。", f"No line that contains {where!r} was executed."))

    @property
    def stopped(self) -> str:
        """Why the trace ended before the program: "steps", "bytes", "seconds", or nothing."""
        return self.trace.stopped

    @property
    def error(self) -> str:
        """What the kernel raised, if it did."""
        return self.trace.error

    def picture(self, index: int) -> str:
        return render(self.trace, index)

    def __repr__(self) -> str:
        kernel = self.trace
        program, count = program_name(kernel)
        lines = [f"{kernel.kernel}, program {program} of {count}, {len(self)} steps", repr(self[self.start])]
        if self.stopped:
            lines.append(str(stopped(kernel)))
        return "\n".join([*lines, *([self.error] if self.error else [])])


def _brief(value) -> str:
    """A value in one line: the first eight lanes."""
    if isinstance(value, tuple):
        return f"{value[0]} + {_brief(value[1])}"
    if not np.ndim(value):
        return short(value, 12) if isinstance(value, bool | int | float) else str(value)
    flat = np.asarray(value).reshape(-1)
    shape = "×".join(map(str, np.shape(value)))
    return f"[{' '.join(short(item) for item in flat[:8])}{' …' if flat.size > 8 else ''}] ({shape})"
