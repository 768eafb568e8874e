"""The climb: in each cell of the scoreboard the kernels that notebooks end with, and both ways of 07 to meet, beside the best copies."""

from dataclasses import replace

import torch

from ..softmax import row_softmax, steps
from ..softmax.choose import gpu_of, launch_for
from ..softmax.two_passes import two_pass_softmax
from .bench import launched, shape_of, timed_line
from .ruler import beside_copies
from .tiles import DTYPES, SCOREBOARD, WIDTHS

SHAPES = [*SCOREBOARD, (4096, 1000), (4096, 12671), (4096, 131072)]
STEPS = ("meeting", "powers")
CASES = [{"rows": rows, "columns": n, "dtype": dtype} for rows, n in SHAPES for dtype in DTYPES]
COMPILES = True
# row, a step of `softmax.steps` or its meeting, softmax, two passes, copy; the barriers in the PTX of a step, elsewhere 0
Line = timed_line(rows=int, columns=int, dtype=str, step=str, early=int, barriers=int)


def measure(rows, columns, dtype):
    shape, gpu = shape_of(rows, columns, dtype), gpu_of(torch.device("cuda", 0))
    launches = {("softmax", early): launch_for(shape, replace(gpu, early=bool(early))) for early in (1, 0)}
    if columns > max(WIDTHS):  # no program holds a row
        functions = {("two passes", 0): two_pass_softmax}
    else:
        functions = {("row", 0): row_softmax}
        found = steps.launches(shape, gpu)
        launches |= {(step, 0): found[step] for step in STEPS if step in found}
    functions |= {way: launched(launch) for way, launch in launches.items()}
    copies = {"late": ("copy", 0), "early": ("copy", 1)}
    for (way, _), timing in beside_copies(functions, rows, columns, dtype, **copies, seconds=0.01, refused={}).items():
        counted = barriers(launches[way], rows, columns, dtype) if way[0] in STEPS else 0
        yield Line(rows, columns, dtype, *way, counted, **timing.us)


def barriers(launch, rows: int, columns: int, dtype: str) -> int:
    y, x = torch.zeros(2, rows, columns, dtype=getattr(torch, dtype), device="cuda")
    compiled = launch.kernel[(launch.programs,)](y, x, *launch.sizes, **launch.constants, **launch.options)
    return compiled.asm["ptx"].count("bar.sync")
