"""The steps of 07, one change at a time: the kernel with its warps kept, the warps with the kernel kept, the last step left out, and
each hint to the cache. All on the same buffers as the best copies.
"""

from dataclasses import replace

from ..backend import triton
from ..softmax.choose import Shape, alone
from ..softmax.launch import Launch
from ..softmax.steps import launches
from ..softmax.tile import launcher, tile_kernel
from .bench import every, late_gpu, launched, shape_of, timed_line
from .ruler import beside_copies
from .tiles import DTYPES
from .without import PLAIN, with_helpers

COLUMNS = (4097, 781, 32768, 12672, 1024, 8192)
HINTS = ("", "evict_first", "evict_last")
CASES = every(state=("sustained",), rows=(4096,), columns=COLUMNS, dtype=DTYPES)
CASES += every(state=("hot",), rows=(4096,), columns=(4097,), dtype=DTYPES)
COMPILES = True
COPY = {"step": "copy"}
# tile; a step of `softmax.steps`; neither, the last one without what it saves; copy. Rows of a program, of a copy 0. What the loads
# tell the cache.
Line = timed_line(state=str, rows=int, columns=int, dtype=str, step=str, together=int, warps=int, hint=str)


def measure(state, rows, columns, dtype):
    functions = {way: launched(launch) for way, launch in ways(shape_of(rows, columns, dtype)).items()}
    how = {"late": ("copy", 0, 0, ""), "states": (state,), "seconds": 0.01, "refused": {}}
    for (way, _), timing in beside_copies(functions, rows, columns, dtype, **how).items():
        yield Line(state, rows, columns, dtype, *way, **timing.us)


def ways(shape: Shape) -> dict:
    """{(step, rows of a program, warps, hint): its launch}, every step also in the sizes of every other."""
    gpu = late_gpu()
    steps, last = launches(shape, gpu), alone(shape, gpu)
    steps.pop("meeting", None)
    found = {_way(name, launch): launch for name, launch in steps.items()}
    sizes = {_way(name, launch)[1:3] for name, launch in steps.items()}
    sizes |= {(1, warps // together) for together, warps in sizes} | {launcher(shape.rows, shape.columns, shape.size)}
    block, sized = triton.next_power_of_2(shape.columns), (shape.rows, shape.columns)
    for together, warps in sorted(sizes):
        tile = {"ROWS": together, "BLOCK": block}
        launch = Launch(tile_kernel, triton.cdiv(shape.rows, together), sized, tile, {"num_warps": warps})
        found["tile", together, warps, ""] = launch
        each = (in_sizes(launch, shape, together, warps) for launch in steps.values())
        found |= {_way(name, launch): launch for name, launch in zip(steps, each)}
    neither = replace(last, kernel=with_helpers(last.kernel, **PLAIN))
    found[_way("neither", neither)] = neither
    for hint in HINTS:
        launch = replace(steps["powers"], constants=steps["powers"].constants | {"HINT": hint})
        found[_way("powers", launch)] = launch
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
