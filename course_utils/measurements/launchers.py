"""05's launcher beside programs that stay, as many as fit, on the scoreboard's shapes.

All in the same tile and with the same warps, those that stay in one stage and in four; and the staying programs of tutorial 02,
with its eight warps and four stages.
"""

from functools import partial

import torch

from .. import hardware
from ..backend import triton
from ..compiler import compile_for
from ..softmax.tile import launcher, stay_kernel
from .bench import fit_on_an_sm, timed_line
from .placing import softmax_by
from .ruler import beside_copies
from .tiles import DTYPES, SCOREBOARD

CASES = [{"rows": rows, "columns": n, "dtype": dtype} for rows, n in SCOREBOARD for dtype in DTYPES]
COMPILES = True
COPY = {"how": "copy"}
# tile, stay (in 4 stages), tutorial, copy; rows of a program at a time; programs of a multiprocessor that stay, as many as fit,
# 0: nobody does
Line = timed_line(rows=int, columns=int, dtype=str, how=str, together=int, warps=int, places=int)


def measure(rows, columns, dtype):
    together, warps = launcher(rows, columns, getattr(torch, dtype).itemsize)
    functions = {("tile", together, warps, 0): partial(softmax_by, together, warps, 0, 0)}
    ours = (("stay", together, warps, 1), ("stay, 4 stages", together, warps, 4))
    for how, *way, stages in (*ours, ("tutorial", 1, 8, 4)):
        places = fitting(rows, columns, dtype, *way, stages)
        if places:
            functions[(how, *way, places)] = partial(softmax_by, *way, places, stages)
    late = ("copy", 0, 0, 0)
    for (way, _), timing in beside_copies(functions, rows, columns, dtype, late, seconds=0.01, refused={}).items():
        yield Line(rows, columns, dtype, *way, **timing.us)


def fitting(rows, columns, dtype, together, warps, stages) -> int:
    """Programs that fit on a multiprocessor; 0 where not even one does."""
    kind, block = getattr(torch, dtype), triton.next_power_of_2(columns)
    constants = {"ROWS": together, "BLOCK": block, "STAGES": stages, "num_warps": warps}
    needs = compile_for(stay_kernel, hardware.here(), kind, kind, rows, columns, **constants)
    most = hardware.chip_of(hardware.here()).shared_per_program
    return fit_on_an_sm(needs) if needs.shared <= most else 0
