"""`softmax` without one of its ideas at a time: what each is worth where all the others are there."""

from dataclasses import replace
from functools import partial

import torch

from ..softmax.choose import Shape, alone, gpu_of, launch_for
from .bench import compare, every, inputs_for, timed_line

ROWS, DTYPES = 4096, ("float32", "bfloat16")
WIDTHS = (256, 781, 1024, 4097, 8192, 32768)
CASES = [
    *every(state=("sustained",), dtype=DTYPES, columns=WIDTHS),
    {"state": "hot", "dtype": "float32", "columns": 256},
]
COMPILES = True
Line = timed_line(state=str, dtype=str, columns=int, idea=str)  # what is left out; "": nothing, softmax as it is


def measure(state, dtype, columns):
    shape, gpu = Shape(ROWS, columns, getattr(torch, dtype).itemsize, columns), gpu_of(torch.device("cuda", 0))
    launch = launch_for(shape, gpu)
    launches = {"": launch} | {idea: found for idea, without in IDEAS.items() if (found := without(launch, shape, gpu))}
    functions = {idea: launched(each) for idea, each in launches.items()}
    inputs = partial(inputs_for, ROWS, columns, dtype, "cuda")
    for (idea, _), timing in compare(functions, inputs, (state,), seconds=0.01).items():
        yield Line(state, dtype, columns, idea, **timing.us)


def launched(launch):
    def run(x):
        y = x.new_empty(x.shape)
        if not launch.short or not launch.short(y.data_ptr(), x.data_ptr()):
            launch(y, x)
        return y

    return run


def _but(launch, options=None, **constants):
    return replace(launch, constants=launch.constants | constants, options=options or launch.options, short=None)


def _four_warps(launch, shape, gpu):
    """Always four warps: a row of each, or all four for one row."""
    lanes, c = 128 * shape.vector, launch.constants
    if "ROWS" not in c or c["ROWS"] > 1 or launch.options["num_warps"] == 4:
        return None
    return _but(launch, launch.options | {"num_warps": 4}, PIECE=lanes, PIECES=-(-shape.columns // lanes))


def _one_row(launch, shape, gpu):
    c = launch.constants
    if c.get("ROWS", 1) == 1:
        return None
    options = launch.options | {"num_warps": launch.options["num_warps"] // c["ROWS"] or 1}
    return replace(_but(launch, options, ROWS=1), programs=shape.rows)


def _padded(launch, shape, gpu):
    """One block, a power of two, instead of as many pieces as it takes."""
    block = 1 << (shape.columns - 1).bit_length()
    c = launch.constants
    if "ROWS" not in c or c["PIECES"] * c["PIECE"] == block:
        return None
    return _but(launch, PIECE=block, PIECES=1)


def _unpeeled(launch, shape, gpu):
    if not launch.constants.get("VECTOR"):
        return None
    return alone(replace(shape, on_grid=False), gpu)


def _no_hint(launch, shape, gpu):
    return _but(launch, HINT="")


def _late(launch, shape, gpu):
    return _but(launch, {"num_warps": launch.options["num_warps"]}, EARLY=False)


IDEAS = {
    "warps by width": _four_warps, "rows side by side": _one_row, "pieces": _padded, "ragged ends": _unpeeled,
    "hint": _no_hint, "early start": _late,
}  # fmt: skip
