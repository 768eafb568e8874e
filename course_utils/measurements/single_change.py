"""The steps of 07, one change at a time: the kernel with its warps kept, the warps with the kernel kept, the last step's two halves
alone, and each hint to the cache. All on the same buffers as the best copies.
"""

import types
from dataclasses import dataclass, replace

import torch

from ..backend import tl, triton
from ..softmax.choose import Shape, gpu_of
from ..softmax.launch import Launch
from ..softmax.steps import launches
from ..softmax.tile import tile_kernel
from .bench import Timed
from .ruler import beside_copies
from .without import launched

FIRST, LAST = "evict_first", "evict_last"
SHOWN = {  # (state, columns): the launches, as (step, rows of a program, warps, hint)
    ("sustained", 8192): [("tile", 1, 8, ""), ("hint", 1, 4, ""), ("hint", 1, 4, FIRST)],
    ("hot", 8192): [("hint", 1, 4, ""), ("hint", 1, 4, FIRST)],
    ("sustained", 4097): [
        *(("tile", 1, 8, ""), ("pieces", 1, 8, ""), ("pieces", 1, 4, "")),
        *((step, 1, 4, FIRST) for step in ("peeled", "division alone", "powers alone", "powers")),
    ],
    ("sustained", 1000): [("pieces", 2, 4, ""), ("wide", 2, 4, "")],
    ("sustained", 781): [(step, 2, warps, LAST) for step in ("hint", "peeled") for warps in (4, 2)],
    ("sustained", 12671): [(step, 1, 8, hint) for step in ("hint", "peeled", "powers") for hint in ("", FIRST)],
}
CASES = [{"state": state, "rows": 4096, "columns": n, "dtype": "bfloat16"} for state, n in SHOWN]
CASES += [{"state": "sustained", "rows": 4096, "columns": 4097, "dtype": "float32"}]
COMPILES = True
COPY = {"step": "copy"}


@dataclass(frozen=True)
class Line(Timed):
    state: str
    rows: int
    columns: int
    dtype: str
    step: str  # tile; a step of `softmax.steps`; half of the last one alone; copy
    together: int  # rows of a program; of a copy 0
    warps: int
    hint: str  # of the loads, where the kernel gives one


def measure(state, rows, columns, dtype):
    shape = Shape(rows, columns, getattr(torch, dtype).itemsize, columns)
    functions = {way: launched(launch_of(shape, *way)) for way in SHOWN[state, columns]}
    how = {"late": ("copy", 0, 0, ""), "states": (state,), "seconds": 0.01, "refused": {}}
    for (way, _), timing in beside_copies(functions, rows, columns, dtype, **how).items():
        yield Line(state, rows, columns, dtype, *way, **timing.us)


def launch_of(shape, step: str, together: int, warps: int, hint: str) -> Launch:
    """A step's launch with so many rows a program and so many warps, which read a piece of each row at once."""
    block, programs = triton.next_power_of_2(shape.columns), triton.cdiv(shape.rows, together)
    if step == "tile":
        sizes, tile = (shape.rows, shape.columns), {"ROWS": together, "BLOCK": block}
        return Launch(tile_kernel, programs, sizes, tile, {"num_warps": warps})
    launch = launches(shape, gpu_of(torch.device("cuda", 0)))["powers" if step in HALVES else step]
    piece = min(32 * max(1, warps // together) * shape.vector, block)
    constants = launch.constants | {"ROWS": together, "PIECE": piece, "PIECES": triton.cdiv(shape.columns, piece)}
    constants |= {"HINT": hint} if "HINT" in constants else {}
    kernel = with_helpers(launch.kernel, **HALVES[step]) if step in HALVES else launch.kernel
    options = {"num_warps": warps}
    return replace(launch, kernel=kernel, constants=constants, options=options, programs=programs, short=None)


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
def naturals(pieces, m, PIECES: tl.constexpr):
    out = ()
    for i in tl.static_range(PIECES):
        out += (natural(pieces[i], m),)
    return out


@triton.jit
def quotient(x, numerator, m, s, LOG: tl.constexpr):
    return numerator / s


# Which half of the last step is there: the helpers that leave the other one out.
HALVES = {
    "powers alone": {"answer": quotient},
    "division alone": {"exponential": natural, "exponentials": naturals},
}
