"""Should programs stay? Rows, tiles and programs that stay, where a row is so short that placing its program takes longer."""

from functools import partial

import torch

from ..backend import triton
from ..softmax.tile import stay_kernel, tile_kernel
from .bench import compare, copy, copy_us, inputs_for, matrix_bytes, recorded, timed_line
from .ruler import HINTS, SIZES

SHAPES = [(2**20, 128, "bfloat16"), (2**20, 128, "float32"), (422400, 256, "float32"), (105600, 1024, "float32"), (4096, 4096, "float32")]  # fmt: skip
CASES = [{"rows": rows, "columns": columns, "dtype": dtype} for rows, columns, dtype in SHAPES]
COMPILES = True
COPY = {"how": "copy"}
# copy, row, tile, stay; rows of a program at a time; programs of a multiprocessor that stay, 0: nobody does
Line = timed_line(rows=int, columns=int, dtype=str, how=str, together=int, warps=int, places=int, stages=int)


def measure(rows, columns, dtype):
    functions = {("copy", *size, 0, 0): partial(copy, block=size[0], warps=size[1], hints=HINTS[1]) for size in SIZES}
    functions |= {way: partial(softmax_by, *way[1:]) for way in ways(columns)}
    for (way, _), timing in compare(functions, partial(inputs_for, rows, columns, dtype, "cuda")).items():
        yield Line(rows, columns, dtype, *way, **timing.us)


def ways(columns: int):
    """As many elements a thread as may be of use."""
    block = triton.next_power_of_2(columns)
    each = {(rows, warps): rows * block // (32 * warps) for rows in (1, 2, 4, 8, 16) for warps in (1, 2, 4, 8)}
    for (rows, warps), held in each.items():
        if 2 <= held <= 32:
            yield "row" if rows == 1 else "tile", rows, warps, 0, 0
    for places in (8, 16, 32):
        for warps in (1, 2, 4):
            if places * warps <= 64 and 2 <= each[1, warps] <= 32:
                yield from (("stay", 1, warps, places, stages) for stages in (1, 3))


def softmax_by(together, warps, places, stages, x):
    y, (rows, columns) = torch.empty_like(x), x.shape
    programs = triton.cdiv(rows, together)
    tile = {"ROWS": together, "BLOCK": triton.next_power_of_2(columns), "num_warps": warps}
    if not places:
        tile_kernel[(programs,)](y, x, rows, columns, **tile)
        return y
    here = torch.cuda.get_device_properties(x.device).multi_processor_count
    stay_kernel[(min(programs, here * places),)](y, x, rows, columns, **tile, STAGES=stages)
    return y


def shares(how: str) -> dict[int, float]:
    """{bytes that a row moves: share of the best copy's speed}, by the fastest launch of this kind."""
    found = {}
    for rows, columns, dtype in SHAPES:
        lines = recorded("placing", rows=rows, columns=columns, dtype=dtype, how=how)
        fastest = min(lines, key=lambda line: line.median_us)
        found[2 * matrix_bytes(1, columns, dtype)] = copy_us("placing", fastest) / fastest.median_us
    return found
