"""Runs one program of a kernel in the interpreter and writes down every statement it executes."""

import os
import sys
import time
from dataclasses import dataclass, field

import numpy as np
import torch

from ..interpreter import Listener, is_kernel, listening
from ..interpreter.addresses import Access, WatchedLaunch
from ..interpreter.arguments import Arguments
from ..interpreter.values import Value, decode
from ..language import both
from .statements import source_of, statements_of
from .trace import Held, Step, TensorBefore, Touch, Trace

MOST_STEPS = 100_000
MOST_BYTES = 128 << 20
MOST_SECONDS = 30


class _Enough(BaseException):
    """Ends a launch from inside. No Exception, so that nothing on the way takes it for an error of the kernel."""


def trace_program(kernel, grid, program, arguments: Arguments) -> Trace:
    """Run the launch on copies of its arguments until `program` has ended, and keep what that program did."""
    program = tuple(int(index) for index in np.atleast_1d(program))
    program += (0,) * (3 - len(program))
    tracer = Tracer(program)
    positional, named = arguments.tensors()
    tracing = sys.gettrace()
    try:
        with listening(tracer):
            kernel[grid](*positional, **named)
    except _Enough:
        pass
    except Exception as error:
        if tracer.launch is None:
            raise  # the arguments don't fit the kernel
        if not tracer.reached:
            raise RuntimeError(_earlier(tracer.launch, describe(error))) from None
        tracer.trace.error = describe(error)
    finally:
        sys.settrace(tracing)
    if tracer.refusal:
        raise ValueError(tracer.refusal)
    if not tracer.reached:
        raise RuntimeError(_earlier(tracer.launch, f"> {MOST_SECONDS} s"))
    return tracer.trace


def describe(error: BaseException) -> str:
    while type(error).__name__ == "InterpreterError" and error.__cause__ is not None:
        error = error.__cause__
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


@dataclass
class _Frame:
    number: int
    name: str
    code: object
    seen: dict[str, object]  # the objects that its variables were last seen to hold
    line: int = 0
    statement: object = None
    touches: list[Touch] = field(default_factory=list)
    loads: list[tuple[tuple, np.ndarray]] = field(default_factory=list)  # shape and padding of each load, callees' too
    kept: dict[int, tuple[object, np.ndarray | None]] = field(default_factory=dict)  # by id: an object, and its padding
    raised: bool = False


class Tracer(Listener):
    def __init__(self, program):
        self.trace = Trace("", program)
        self.stack: list[_Frame] = []
        self.bytes = 0
        self.until = time.monotonic() + MOST_SECONDS
        self.refusal = ""
        self.launch: WatchedLaunch | None = None
        self.reached = False

    # what the interpreter tells

    def launch_started(self, launch: WatchedLaunch) -> None:
        self.launch, self.trace.kernel, self.trace.grid = launch, launch.name, launch.grid
        if not all(0 <= index < size for index, size in zip(self.trace.program, launch.grid, strict=True)):
            self.refusal = _outside(self.trace.program, launch.grid)
            raise _Enough

    def program_started(self, launch: WatchedLaunch) -> None:
        if launch.program == self.trace.program:
            for argument in launch.arguments:
                tensor, data = argument.tensor, read_elements(argument)
                form = (tuple(tensor.shape), tensor.stride(), str(tensor.dtype).removeprefix("torch."))
                memory = (tensor.untyped_storage().data_ptr(), tensor.storage_offset())
                self.trace.tensors.append(TensorBefore(argument.name, *form, data, argument.owned, *memory))
            self.reached = True
            sys.settrace(self.on_call)
        elif self.reached:
            raise _Enough  # the program has ended; the others are nobody's business

    def accessed(self, launch: WatchedLaunch, access: Access) -> None:
        if time.monotonic() > self.until:
            self.stop("seconds")
        if not self.stack:
            return
        for owner in np.unique(access.owner[access.mask]):
            lanes = access.mask & (access.owner == owner)
            offsets, inside, after = access.offset[lanes], access.inside[lanes], None
            name = launch.arguments[owner].name if owner >= 0 else "?"
            if access.kind != "load" and owner >= 0:
                after = read_elements(launch.arguments[owner], offsets[inside])
            self.stack[-1].touches.append(Touch(access.kind, name, offsets, inside, access.mask.size))
            if after is not None:
                tensor = self.trace.tensors[owner]
                elements = offsets[inside] + tensor.start
                written = (len(self.trace.steps), (tensor.memory, tensor.dtype), elements, after)
                self.trace.writes.append(written)
            self.bytes += offsets.nbytes + inside.nbytes + (0 if after is None else after.nbytes)
        if access.kind == "load":
            for frame in self.stack:
                frame.loads.append((access.mask.shape, ~access.mask))

    # what Python tells

    def on_call(self, frame, event, argument):
        if event != "call" or not is_kernel(frame.f_code):
            return None
        code, source = frame.f_code, source_of(frame.f_code)
        name = code.co_name
        if self.trace.sources.setdefault(name, source) != source:  # two helpers of one name
            name = f"{name}, {os.path.basename(code.co_filename)}:{code.co_firstlineno}"
            self.trace.sources[name] = source
        self.stack.append(_Frame(len(self.trace.history), name, code, {}, code.co_firstlineno))
        self.trace.history.append({})
        self.close(frame, "enter")
        self.stack[-1].statement = None
        return self.on_line

    def on_line(self, frame, event, argument):
        mine = self.stack[-1]
        if event == "line":
            statement = statements_of(mine.code).get(frame.f_lineno)
            if (
                statement is not None
                and statement is mine.statement
                and statement.simple
                and statement.last > statement.line
            ):
                return self.on_line  # another line of the same statement
            if mine.line:
                self.close(frame, "line")
            mine.line, mine.statement = (statement.line if statement else frame.f_lineno), statement
        elif event == "exception" and not isinstance(argument[1], StopIteration | GeneratorExit):
            mine.raised = True
        elif event == "return":
            if mine.line:
                self.close(frame, "raise" if mine.raised else "line", argument)
            self.stack.pop()
        return self.on_line

    def close(self, frame, kind: str, returned=None) -> None:
        """The statement that was begun has ended: keep what it changed and touched."""
        mine, number = self.stack[-1], len(self.trace.steps)
        variables = dict(frame.f_locals)
        if returned is not None and kind == "line":
            variables["return"] = returned
        history = self.trace.history[mine.number]
        fresh = {name: value for name, value in variables.items() if mine.seen.get(name, self) is not value}
        objects = {each: item for name in fresh for each, item in _parts(name, fresh[name])}
        held = {name: Held(decode(item, self.launch)) for name, item in objects.items()}
        if kind == "enter":
            found = {name: self.passed(item) for name, item in objects.items()}
        else:
            made = {name: item.value for name, item in held.items() if id(objects[name]) not in mine.kept}
            found = {name: mine.kept[id(item)][1] for name, item in objects.items() if name not in made}
            found |= self.paddings(mine, made, history)
        mine.kept |= {id(item): (item, found[name]) for name, item in objects.items()}
        held = {name: Held(item.value, found[name]) for name, item in held.items()}
        for name, item in held.items():
            steps, values = history.setdefault(name, ([], []))
            steps.append(number)
            values.append(item)
            self.bytes += 200 + getattr(item.value.data, "nbytes", 0)
        callers = tuple((each.name, each.line) for each in self.stack[:-1])
        touches = tuple(mine.touches)
        self.trace.steps.append(Step(kind, mine.name, mine.line, mine.number, callers, tuple(held), touches))
        mine.seen, mine.touches, mine.loads, mine.line = variables, [], [], 0
        self.bytes += 400
        if number + 1 >= MOST_STEPS:
            self.stop("steps")
        if self.bytes > MOST_BYTES:
            self.stop("bytes")
        if time.monotonic() > self.until:
            self.stop("seconds")

    def paddings(self, mine: _Frame, made: dict[str, Value], history) -> dict[str, np.ndarray | None]:
        """Of the values that a statement made. As many as it loaded, as in `a, b = tl.load(…), tl.load(…)`: each has its own."""
        loads = mine.loads
        each = zip(made.items(), [[load] for load in loads] if len(made) == len(loads) else [loads] * len(made))
        return {name: self.padding(mine, value, history, loads) for (name, value), loads in each}

    def padding(self, mine: _Frame, value: Value, history, loads) -> np.ndarray | None:
        """A lane is padding if every value that flowed into it was. Addresses and masks don't flow into anything."""
        if value.kind != "block" or value.data.dtype == bool:
            return None
        shape, kind = value.data.shape, value.data.dtype.kind
        sources = [padding for loaded, padding in loads if loaded == shape]
        for name in mine.statement.reads if mine.statement else ():
            held = history[name][1][-1] if name in history else None
            if (
                held
                and held.value.kind == "block"
                and held.value.data.shape == shape
                and held.value.data.dtype.kind == kind
            ):
                sources.append(held.padding if held.padding is not None else np.zeros(shape, dtype=bool))
        together = np.logical_and.reduce(sources) if sources else np.zeros((), dtype=bool)
        return together if together.any() else None

    def passed(self, value) -> np.ndarray | None:
        """The padding of a value that the caller passed on."""
        for caller in self.stack[-2:-1]:
            if id(value) in caller.kept:
                return caller.kept[id(value)][1]
        return None

    def stop(self, why: str) -> None:
        self.trace.stopped = why
        raise _Enough


def read_elements(argument, offsets=None) -> np.ndarray:
    """Elements of a tensor as numbers that numpy knows; bfloat16 and float8 are widened."""
    flat = argument.tensor.as_strided((argument.span,), (1,))
    flat = flat.clone() if offsets is None else flat[torch.from_numpy(np.ascontiguousarray(offsets))]
    narrow = flat.dtype.is_floating_point and flat.dtype not in (torch.float16, torch.float32, torch.float64)
    return (flat.float() if narrow else flat).numpy()


def _parts(name: str, value):
    """A tuple by its items: pair[0], pair[1]."""
    if not isinstance(value, tuple) and type(value).__name__ != "tuple":  # Triton has a tuple of its own
        yield name, value
        return
    for index, item in enumerate(getattr(value, "values", value)):
        yield from _parts(f"{name}[{index}]", item)


def _earlier(launch: WatchedLaunch, why: str) -> str:
    program = launch.program[0] if launch.grid[1:] == (1, 1) else launch.program
    return both(
        f"还没轮到要看的 program，第 {program} 号就没能跑完（{why}）。请改看第 {program} 号 program。",
        f"Program {program}, which comes before the one to step through, did not finish ({why}). Step through program {program}.",
    )


def _outside(program, grid) -> str:
    shown, size = program, "×".join(map(str, grid))
    if program[1:] == (0, 0) and grid[1:] == (1, 1):
        shown, size = program[0], grid[0]
        return both(
            f"没有第 {shown} 号 program：这次启动只有 {size} 个，编号 0 到 {size - 1}。",
            f"There is no program {shown}: this launch has {size}, numbered 0 to {size - 1}.",
        )
    return both(
        f"没有 program {shown}：grid 是 {size}，每一维从 0 数起，要比 grid 的大小小。",
        f"There is no program {shown}: the grid is {size}; each number counts from 0 and is less than the grid's size.",
    )
