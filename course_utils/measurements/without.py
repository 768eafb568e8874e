"""`softmax` without one of its ideas at a time: what each is worth where all the others are there.

All start late, so that the scoreboard's times can be told from these.
"""

import types
from dataclasses import replace
from functools import partial

from ..backend import tl, triton
from ..softmax.choose import alone, launch_for
from ..softmax.combine import exponentials
from .bench import compare, every, inputs_for, late_gpu, launched, shape_of, timed_line
from .tiles import DTYPES, WIDTHS

ROWS = 4096
CASES = every(dtype=DTYPES, columns=WIDTHS)
COMPILES = True
Line = timed_line(dtype=str, columns=int, idea=str)  # what is left out, after the early start


def measure(dtype, columns):
    shape = shape_of(ROWS, columns, dtype)
    late = launch_for(shape, late_gpu())
    launches = {"early start": late}
    launches |= {idea: found for idea, without in IDEAS.items() if (found := without(late, shape))}
    functions = {idea: launched(each) for idea, each in launches.items()}
    inputs = partial(inputs_for, ROWS, columns, dtype, "cuda")
    for (idea, _), timing in compare(functions, inputs, seconds=0.01).items():
        yield Line(dtype, columns, idea, **timing.us)


def with_helpers(kernel, **helpers):
    """The same kernel, calling other functions by the names of its own."""
    function = kernel.fn
    swapped = types.FunctionType(function.__code__, function.__globals__ | helpers, function.__name__)
    for name in ("__module__", "__qualname__", "__annotations__"):
        setattr(swapped, name, getattr(function, name))
    return triton.jit(swapped)


@triton.jit
def natural(x, m):
    return tl.exp(x - m)


@triton.jit
def quotient(x, numerator, m, s, LOG: tl.constexpr):
    return numerator / s


# The helpers of a kernel that saves no instructions: an exponential of base e; a division for every element.
PLAIN = {
    "exponential": natural,
    "exponentials": with_helpers(exponentials, exponential=natural),
    "answer": quotient,
}


def _but(launch, options=None, **constants):
    return replace(launch, constants=launch.constants | constants, options=options or launch.options, short=None)


def _four_warps(launch, shape):
    """Always four warps: a row of each, or all four for one row."""
    lanes, c = 128 * shape.vector, launch.constants
    if "ROWS" not in c or c["ROWS"] > 1 or launch.options["num_warps"] == 4:
        return None
    return _but(launch, launch.options | {"num_warps": 4}, PIECE=lanes, PIECES=-(-shape.columns // lanes))


def _one_row(launch, shape):
    c = launch.constants
    if c.get("ROWS", 1) == 1:
        return None
    options = launch.options | {"num_warps": launch.options["num_warps"] // c["ROWS"] or 1}
    return replace(_but(launch, options, ROWS=1), programs=shape.rows)


def _padded(launch, shape):
    """One block, a power of two, instead of as many pieces as it takes."""
    block = 1 << (shape.columns - 1).bit_length()
    c = launch.constants
    if "ROWS" not in c or c["PIECES"] * c["PIECE"] == block:
        return None
    return _but(launch, PIECE=block, PIECES=1)


def _twice_the_warps(launch, shape):
    """As 05 has it: 32 elements a thread also where a row is wide."""
    c, warps = launch.constants, launch.options["num_warps"]
    if "ROWS" not in c or shape.columns <= 2048:
        return None
    return _but(launch, launch.options | {"num_warps": 2 * warps}, PIECE=2 * c["PIECE"], PIECES=-(-c["PIECES"] // 2))


def _unpeeled(launch, shape):
    if not launch.constants.get("VECTOR"):
        return None
    return alone(replace(shape, on_grid=False), late_gpu())


def _no_hint(launch, shape):
    return _but(launch, HINT="")


def _saving_nothing(launch, shape):
    if "ROWS" in launch.constants:  # a program holds a row
        return replace(launch, kernel=with_helpers(launch.kernel, **PLAIN), short=None)


IDEAS = {
    "warps by width": _four_warps, "half the warps": _twice_the_warps, "rows side by side": _one_row, "pieces": _padded,
    "ragged ends": _unpeeled, "saved instructions": _saving_nothing, "hint": _no_hint,
}  # fmt: skip
