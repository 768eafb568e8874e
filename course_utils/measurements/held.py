"""What a thread holds: a plain tile, one row a program, at every number of warps. Registers, spills, and what then fits on an SM.

Only compiling is measured, so no time is in here; `tiles` has the times of the same launches.
"""

import torch

from .. import hardware
from ..compiler import compile_for
from ..softmax.tile import tile_kernel
from .bench import every, fit_on_an_sm, line_of

WARPS = (1, 2, 4, 8, 16, 32)
MOST = 255  # registers of a thread
CASES = every(columns=(256, 781, 1024, 4097, 8192, 12671, 12672, 32768), dtype=("float32", "bfloat16"))
# of a thread: elements and registers; of a program: bytes of shared memory; how many programs fit on an SM
Line = line_of(columns=int, dtype=str, warps=int, elements=int, registers=int, spills=int, shared=int, programs=int)


def measure(columns, dtype):
    kind = getattr(torch, dtype)
    for warps in WARPS:
        block, elements = sizes(columns, warps)
        if elements > 256:
            continue
        constants = {"ROWS": 1, "BLOCK": block, "num_warps": warps}
        needs = compile_for(tile_kernel, hardware.here(), kind, kind, 4096, columns, **constants)
        told = needs.registers, needs.spills, needs.shared, fit_on_an_sm(needs)
        yield Line(columns, dtype, warps, elements, *told)


def sizes(columns: int, warps: int) -> tuple[int, int]:
    """The block, and the elements of it that a thread holds."""
    block = 1 << (columns - 1).bit_length()
    return block, block // (32 * warps)
