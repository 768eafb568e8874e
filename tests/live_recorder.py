"""Writes down launches in Triton's interpreter as JSON: what a kernel was given, each of its accesses, what memory held afterwards."""

import base64
import importlib
import inspect
import textwrap
from contextlib import contextmanager

import numpy as np
import torch

from course_utils.backend import tl, triton
from course_utils.interpreter import Listener, listening
from course_utils.interpreter import interpreter as watched
from course_utils.interpreter.arguments import Arguments
from course_utils.races import find_races
from course_utils.stepper.tracer import trace_program

triton_interpreter = importlib.import_module("triton.runtime.interpreter")
Interpreted = triton_interpreter.InterpretedFunction
SHORT = {"fp16": "float16", "bf16": "bfloat16", "fp32": "float32", "fp64": "float64"}


def constant(value):
    """A value that is no tensor, with its kind beside it; None where a page has no such thing."""
    value = getattr(value, "value", value)
    for kind, types in (("b", bool), ("i", int), ("f", float), ("s", str)):
        if isinstance(value, types):
            return {kind: value if kind in "bs" else str(value)}
    if isinstance(value, tl.dtype):
        return {"t": SHORT.get(value.name, value.name)}
    if isinstance(value, tuple):
        parts = [constant(each) for each in value]
        return None if None in parts else {"tuple": parts}
    return {"n": 1} if value is None else None


def type_name(dtype: torch.dtype) -> str:
    return "int1" if dtype is torch.bool else str(dtype).removeprefix("torch.")


def contents(storage) -> str:
    held = (
        torch.tensor([], dtype=torch.uint8).set_(storage) if storage.nbytes() else torch.tensor([], dtype=torch.uint8)
    )
    return base64.b64encode(held.numpy().tobytes()).decode()


def functions(kernel, found: dict) -> str:
    """The kernel's text and those of all kernels it reaches by name go into `found`; returns its own key there."""
    function = getattr(kernel, "fn", kernel)
    code = function.__code__
    key = f"{code.co_filename}:{code.co_firstlineno}:{function.__name__}"
    if key in found:
        return key
    names: dict[str, dict] = {}
    source = textwrap.dedent(inspect.getsource(function))
    found[key] = {"name": function.__name__, "source": source, "first": code.co_firstlineno, "names": names}
    for name in code.co_names:
        value = function.__globals__.get(name, inspect)
        if value is inspect or value in (tl, triton):
            continue
        if isinstance(value, Interpreted):
            names[name] = {"fn": functions(value, found)}
        elif told := constant(value):
            names[name] = told
    return key


class Given:
    """Arguments of a launch, and the storages below its tensors: two tensors may share one."""

    def __init__(self, named: dict):
        self.storages: list = []
        self.places: dict[int, int] = {}
        self.named = [[name, self.told(value)] for name, value in named.items()]

    def told(self, value):
        if not isinstance(value, torch.Tensor):
            return constant(value)
        storage = value.untyped_storage()
        place = self.places.setdefault(storage._cdata, len(self.storages))
        if place == len(self.storages):
            self.storages.append(storage)
        view = {"shape": list(value.shape), "strides": list(value.stride()), "start": value.storage_offset()}
        return {"tensor": {"dtype": type_name(value.dtype), "storage": place, **view}}

    def contents(self) -> list[str]:
        return [contents(storage) for storage in self.storages]


class Accesses(Listener):
    def __init__(self):
        self.list: list = []

    def accessed(self, launch, access):
        offsets = access.offset[access.mask].astype(object)
        asked, astray = int(access.mask.sum()), int(access.astray.sum())
        total = str(int(offsets.sum()) if offsets.size else 0)
        self.list.append([access.kind, access.function, access.line, int(access.program[0]), asked, astray, total])


def launch_of(kernel, grid, arguments: tuple, constants: dict) -> dict:
    """A launch that is told, not made."""
    found: dict = {}
    key = functions(kernel, found)
    given = Given({**dict(zip(kernel.arg_names, arguments)), **constants})
    return {"kernel": key, "functions": found, "grid": list(grid), "args": given.named, "before": given.contents()}


def seen_by_stepper(kernel, grid, program: int, *arguments, **constants) -> dict:
    """A launch, and each step of one program: the line, the names that changed, and what they hold."""
    record = launch_of(kernel, grid, arguments, constants)
    trace = trace_program(kernel, grid, program, Arguments.copy(arguments, constants))
    steps = []
    for k, step in enumerate(trace.steps):
        held = trace.values(k)
        changed = {name: numbers(held[name].value) for name in step.changed}
        touched = [[each.kind, each.tensor, int(each.inside.sum()), len(each.offsets)] for each in step.touches]
        steps.append(
            {"kind": step.kind, "line": step.line, "name": step.function, "changed": changed, "touched": touched}
        )
    return {**record, "program": program, "steps": steps, "error": trace.error and str(trace.error)}


def numbers(value) -> list | None:
    data = value.data
    if isinstance(data, (bool, int, float, np.generic, np.ndarray)):
        return [repr(float(each)) for each in np.ravel(np.asarray(data))]
    return None


def seen_by_finder(kernel, programs: int, *arguments, places=None, **constants) -> dict:
    """A launch whose programs take turns, the races in it, and whether all wait for ever."""
    record = launch_of(kernel, (programs,), arguments, constants)
    found = find_races(kernel, (programs,), *arguments, places=places, **constants)
    races = [
        [each.tensor, each.first.line, each.second.line, each.first.kind, each.second.kind] for each in found.races
    ]
    return {**record, "places": places, "races": races, "deadlock": bool(found.deadlock)}


@contextmanager
def recording():
    """Every launch inside, as a list that grows."""
    records: list[dict] = []
    original = Interpreted.run

    def run(self, *positional, grid, warmup, **keywords):
        named = {**dict(zip(self.arg_names, positional)), **keywords}
        given, found, heard, turns = Given(named), {}, Accesses(), watched._conductor
        record = {
            "kernel": functions(self, found),
            "functions": found,
            "grid": [int(size) for size in (grid(named) if callable(grid) else grid)],
            "args": given.named,
            "turns": turns and {"places": turns.places, "order": turns.order},
            "before": given.contents(),
            "error": None,
        }
        try:
            with listening(heard), np.errstate(all="ignore"):
                return original(self, *positional, grid=grid, warmup=warmup, **keywords)
        except Exception as error:
            record["error"] = str(error)
            raise
        finally:
            deadlock = bool(turns and turns.deadlock)
            records.append({**record, "after": given.contents(), "accesses": heard.list, "deadlock": deadlock})

    Interpreted.run = run
    try:
        yield records
    finally:
        Interpreted.run = original
