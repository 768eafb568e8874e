"""The steps of 07, one change at a time: the kernel with its warps kept, the warps with the kernel kept, the last step's two halves
alone, and each hint to the cache. All on the same buffers as the best copies.
"""

import types
from dataclasses import dataclass, replace

from ..backend import tl, triton

COLUMNS, HOT = (4097, 781, 12671, 1000, 32768, 12672, 1024, 8192), (8192, 4096, 2048, 4097)
DTYPES = ("bfloat16", "float32")
HINTS = ("", "evict_first", "evict_last")
COMPILES = True
COPY = {"step": "copy"}  # the line that times the best copy on the same buffers


@dataclass(frozen=True)
class Line:
    state: str
    rows: int
    columns: int
    dtype: str
    step: str  # tile; a step of `softmax.steps`; half of the last one alone; copy
    together: int  # rows of a program; of a copy 0
    warps: int
    hint: str  # of the loads, where the kernel gives one
    registers: int  # of a thread
    barriers: int  # in its PTX
    median_us: float
    low_us: float
    high_us: float


def cases():
    sustained = [("sustained", n, dtype) for n in COLUMNS for dtype in DTYPES]
    hot = [("hot", n, dtype) for n in HOT for dtype in DTYPES]
    return [{"state": s, "rows": 4096, "columns": n, "dtype": dtype} for s, n, dtype in sustained + hot]


def measure(state, rows, columns, dtype):
    import torch

    from .bench.stopwatch import compare, inputs_for
    from .climb import _copies, _needs
    from .without import launched

    launches = ways(rows, columns, dtype)
    bytes = rows * columns * getattr(torch, dtype).itemsize
    copies = {how: copy for how, copy in _copies(bytes, getattr(torch, dtype).itemsize, state) if not how[-1]}
    functions = {way: launched(launch) for way, launch in launches.items()} | copies
    found = compare(functions, lambda: inputs_for(rows, columns, dtype, "cuda"), (state,), seconds=0.01, refused={})
    fastest = min((timing for (way, _), timing in found.items() if way in copies), key=lambda timing: timing.median)
    yield Line(state, rows, columns, dtype, "copy", 0, 0, "", 0, 0, **fastest.us)
    for way, launch in launches.items():
        if (way, state) in found:
            yield Line(state, rows, columns, dtype, *way, *_needs(launch, rows, columns, dtype), **found[way, state].us)


def ways(rows: int, columns: int, dtype: str) -> dict:
    """{(step, rows of a program, warps, hint): its launch}, every step also in the sizes of every other."""
    import torch

    from ..softmax.choose import Shape, gpu_of
    from ..softmax.launch import Launch
    from ..softmax.launcher import launcher
    from ..softmax.steps import launches
    from ..softmax.tile import tile_kernel

    shape = Shape(rows, columns, getattr(torch, dtype).itemsize, columns)
    steps = launches(shape, gpu_of(torch.device("cuda", 0)))
    steps.pop("meeting", None)
    found = {_way(name, launch): launch for name, launch in steps.items()}
    sizes = {_way(name, launch)[1:3] for name, launch in steps.items()}
    sizes |= {(1, warps // together) for together, warps in sizes} | {launcher(rows, columns, shape.size)}
    block = triton.next_power_of_2(columns)
    for together, warps in sorted(sizes):
        tile = {"ROWS": together, "BLOCK": block}
        launch = Launch(tile_kernel, triton.cdiv(rows, together), (rows, columns), tile, {"num_warps": warps})
        found["tile", together, warps, ""] = launch
        each = (in_sizes(launch, shape, together, warps) for launch in steps.values())
        found |= {_way(name, launch): launch for name, launch in zip(steps, each)}
    for name, helpers in halves().items():
        launch = replace(steps["powers"], kernel=with_helpers(steps["powers"].kernel, **helpers))
        found[_way(name, launch)] = launch
    for name in ("hint", "peeled", "powers"):
        for hint in HINTS if name in steps else ():
            launch = replace(steps[name], constants=steps[name].constants | {"HINT": hint})
            found[_way(name, launch)] = launch
    return found


def _way(name: str, launch) -> tuple[str, int, int, str]:
    return name, launch.constants["ROWS"], launch.options["num_warps"], launch.constants.get("HINT", "")


def in_sizes(launch, shape, together: int, warps: int):
    """The same launch with so many rows a program and so many warps, which read a piece of each row at once."""
    piece = min(32 * max(1, warps // together) * shape.vector, triton.next_power_of_2(shape.columns))
    sizes = {"ROWS": together, "PIECE": piece, "PIECES": triton.cdiv(shape.columns, piece)}
    programs = triton.cdiv(shape.rows, together)
    return replace(
        launch, constants=launch.constants | sizes, options={"num_warps": warps}, programs=programs, short=None
    )


def halves() -> dict:
    """{which half of the last step is there: the helpers that leave the other one out}"""
    plain = {"exponential": natural, "exponentials": naturals}
    return {"powers alone": {"answer": quotient}, "division alone": plain, "neither": plain | {"answer": quotient}}


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
