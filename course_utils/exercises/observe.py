"""What a program does on every probe, as plain data. It runs in the locked process for the learner's program, and beside the judge for
the course's own, so both are seen in the same way.

A kind is a function of (program, probe, exercise) that returns an observation, a dict:
    value        what a function returned
    finding      why programs that meet go wrong in some order: a key, the tensor, lines (see `racing`)
    written      what a kernel left in the tensors that it may write, by name
    astray       the first line that left its tensor
    changed      the inputs that are not what they were
    holds        elements of the largest tensor that a function made, and `products`, how often it multiplied matrices
    loads, stores, widest, rows, undefined    what a launch asked for (see `launch`)
    raised       what went wrong instead, as `worker.errors.describe` tells it
"""

import copy
import decimal
import math
import numbers
import re

import torch

from ..worker.errors import describe
from . import combining, equal_keys, exam_papers, exposing, launch, racing, scheduled, tensors

OWN = {
    "gpu": exam_papers.gpu,
    "work": exam_papers.work,
    "launch": equal_keys.matrices,
    "suspect": exam_papers.suspect,
    "~": exposing.kernel_with,
}


def observe(program, probe, exercise, texts: dict) -> dict:
    try:
        return KINDS[exercise.kind](program, values(probe, exercise), exercise)
    except Exception as error:
        return {"raised": describe(error, texts)}


def values(probe, exercise) -> dict:
    """The probe's values by name: numbers and lists as they are, tensors and the course's own things out of their words."""
    found = {}
    for name, value in probe.given.items():
        first, _, rest = value.partition(" ") if isinstance(value, str) else ("", "", "")
        if first in OWN:
            value = OWN[first](rest)
        elif isinstance(found.get(first), tuple):
            value = found[first]
        elif first in ("like", "itself", "fresh") or first.startswith("'"):
            value = value.strip("'")
        elif first:
            value = tensors.tensor(value, {**exercise.arrays, **found})
        found[name] = value
    return found


# ---- functions


def function(program, given: dict, exercise) -> dict:
    arguments = [given[name] for name in exercise.parameters]
    before = [_copy(each) for each in arguments]
    with tensors.Made() as made:
        value = program(*arguments)
    changed = [name for name, old, new in zip(exercise.parameters, before, arguments) if not unchanged(old, new)]
    return {"value": plain(value), "changed": changed, "holds": made.largest, "products": made.products}


def choice(program, given: dict, exercise) -> dict:
    """What a choice among 1, 2, 4, … costs by the probe's list, in per cent over the best; so much as is allowed costs nothing."""
    chosen = program(*(given[name] for name in exercise.parameters))
    if isinstance(chosen, bool) or not isinstance(chosen, numbers.Real):
        return {"value": plain(chosen), "changed": []}
    costs = {2**k: cost for k, cost in enumerate(given["costs"])}
    value = max(float(exercise.settings["allowed"]), costs[chosen]) if chosen in costs else "no choice"
    return {"value": value, "changed": []}


def _copy(thing):
    if isinstance(thing, torch.Tensor):
        return thing.clone()
    return copy.deepcopy(thing) if isinstance(thing, list | dict | set) else thing


def unchanged(old, new) -> bool:
    if isinstance(old, torch.Tensor):
        return launch.same(old, new)
    return old == new if isinstance(old, list | dict | set) else True


def plain(value):
    """Numbers of any kind as floats, a tensor of one element as a number; what is none of these stays as it is."""
    if isinstance(value, list | tuple):
        return type(value)(map(plain, value)) if type(value) in (list, tuple) else [*map(plain, value)]
    if isinstance(value, bool | int | torch.Tensor) or value is None:
        return value
    if isinstance(value, numbers.Real | decimal.Decimal):
        return float(value)
    if hasattr(value, "shape"):
        return torch.as_tensor(value)
    return value if isinstance(value, str) else [type(value).__name__]


# ---- kernels


def kernel(program, given: dict, exercise) -> dict:
    arguments, constants, grid, writes = launched(given, exercise)
    seen = launch.observed(program, grid, arguments, constants, writes)
    if not any(name.endswith("_stride") for name in given):
        del seen["reach"]  # where rows are as far apart as they are said to be, it tells nothing
    return seen


def races(program, given: dict, exercise) -> dict:
    arguments, constants, grid, writes = launched(given, exercise)
    counter = f"{exercise.settings['counter']}_ptr"
    return racing.watched(program, grid, arguments, constants, writes, counter, given.get("places"))


def arguments_of(probe, exercise) -> tuple[list, dict]:
    arguments, constants, _, _ = launched(values(probe, exercise), exercise)
    return list(arguments.values()), constants


def launched(given: dict, exercise) -> tuple[dict, dict, tuple, list[str]]:
    """A parameter's name says what it is given: `x_ptr` the tensor x, `x_stride` its row stride, `n_cols` its columns."""
    known = dict(given)
    words = {name.split()[0]: name.split()[1:] for name in exercise.settings.get("writes", "").split(", ") if name}
    inputs = [value for name, value in given.items() if isinstance(value, torch.Tensor) and name not in words]
    main = next((each for each in inputs if each.dim() == 2), next(iter(given.values())))
    known.setdefault("n_rows", len(main))
    known.setdefault("n_cols", main.shape[-1])
    for name in exercise.parameters:
        if name.startswith("BLOCK"):
            known.setdefault(name, 1 << (known["n_cols"] - 1).bit_length())
    known = {name: int(default) for name, default in exercise.settings.items() if name in exercise.parameters} | known
    for name, how in words.items():
        known[name] = _output(how, known, given.get(name, ""))
    arguments = {}
    for name in exercise.parameters:
        of, _, what = name.rpartition("_")
        if what == "ptr":
            arguments[name] = known[of]
        elif what == "stride" and name not in given:
            axis = 1 if of.endswith("_col") else 0
            arguments[name] = known[re.sub("_(row|col)$", "", of)].stride(axis)
        else:
            arguments[name] = known[name]
    constants = {name: arguments.pop(name) for name in exercise.constants}
    grid = given.get("grid", exercise.settings.get("grid", "n_rows"))
    grid = tuple(_size(each, known) for each in str(grid).strip("[]").split(","))
    return arguments, constants, grid, [f"{name}_ptr" for name in words]


def _size(words: str, known: dict) -> int:
    """A size, written "n_rows", "4", "n_rows / ROWS" (rounded up) or "PARTS * 2"."""
    first, *rest = (int(each) if each.isdigit() else each if each in "*/" else known[each] for each in words.split())
    for mark, by in zip(rest[::2], rest[1::2]):
        first = first * by if mark == "*" else math.ceil(first / by)
    return first


def _output(how: list[str], known: dict, layout: str) -> torch.Tensor:
    """ "like x", "itself", or a type and a size ("float32 n_rows x PARTS x 2", which may end in "zero")."""
    if how[0] == "itself":
        return tensors.tensor(layout, known) if isinstance(layout, str) else layout
    if how[0] == "like":
        shape, dtype = known[how[1]].shape, known[how[1]].dtype
    else:
        sizes = " ".join(each for each in how[1:] if each != "zero").split(" x ")
        shape, dtype = [_size(size, known) for size in sizes], getattr(torch, how[0])
    fresh = torch.full(tuple(shape), 0 if how[-1] == "zero" else launch.UNTOUCHED, dtype=dtype)
    words = layout.split()[1:] if isinstance(layout, str) else []
    return tensors.tensor(" ".join(["fresh", *words]), {"fresh": fresh})


KINDS = {
    "function": function,
    "choice": choice,
    "combine": combining.combine,
    "kernel": kernel,
    "races": races,
    "keys": equal_keys.equal,
    "turns": scheduled.turns,
    "exposing": exposing.exposing,
}
