"""Should programs stay? Rows, tiles and programs that stay, where a row is so short that placing its program takes longer."""

from dataclasses import dataclass
from functools import partial

from ..backend import triton
from ..softmax.tile import stay_kernel, tile_kernel
from .bench.experiment import recorded

SHAPES = [
    (2**20, 128, "bfloat16"), (2**20, 128, "float32"), (2**21, 64, "float32"), (65536, 128, "float32"), (4096, 256, "bfloat16"),
    (4096, 256, "float32"), (422400, 256, "float32"), (105600, 1024, "float32"), (4096, 4096, "float32"),
]  # fmt: skip
COMPILES = True
COPY = {"how": "copy"}  # the lines that time the best copy on the same buffers


@dataclass(frozen=True)
class Line:
    rows: int
    columns: int
    dtype: str
    how: str  # copy, row, tile, stay, stay tile
    together: int  # rows of a program at a time
    warps: int
    places: int  # programs of a multiprocessor that stay; 0: nobody does
    stages: int
    median_us: float
    low_us: float
    high_us: float


def cases():
    return [{"rows": rows, "columns": columns, "dtype": dtype} for rows, columns, dtype in SHAPES]


def measure(rows, columns, dtype):
    from .bench.kernels import copy
    from .bench.stopwatch import compare, inputs_for
    from .ruler import HINTS, SIZES

    functions = {
        ("copy", block, warps, 0, 0): partial(copy, block=block, warps=warps, hints=HINTS[1]) for block, warps in SIZES
    }
    functions |= {way: partial(softmax_by, *way[1:]) for way in ways(columns)}
    for (way, _), timing in compare(functions, lambda: inputs_for(rows, columns, dtype, "cuda")).items():
        yield Line(rows, columns, dtype, *way, **timing.us)


def ways(columns: int):
    """As many elements a thread as may be of use."""
    block = triton.next_power_of_2(columns)
    each = {(rows, warps): rows * block // (32 * warps) for rows in (1, 2, 4, 8, 16) for warps in (1, 2, 4, 8)}
    for (rows, warps), held in each.items():
        if 2 <= held <= 32:
            yield "row" if rows == 1 else "tile", rows, warps, 0, 0
    for places in (8, 16, 32):
        for rows, warps in [(1, 1), (1, 2), (1, 4), (4, 1), (4, 4), (8, 4)]:
            if places * warps <= 64 and 2 <= each[rows, warps] <= 32:
                yield from (("stay" if rows == 1 else "stay tile", rows, warps, places, s) for s in (1, 3))


def softmax_by(together, warps, places, stages, x):
    import torch

    y, (rows, columns) = torch.empty_like(x), x.shape
    programs = triton.cdiv(rows, together)
    tile = {"ROWS": together, "BLOCK": triton.next_power_of_2(columns), "num_warps": warps}
    if not places:
        tile_kernel[(programs,)](y, x, rows, columns, **tile)
        return y
    here = torch.cuda.get_device_properties(x.device).multi_processor_count
    stay_kernel[(min(programs, here * places),)](y, x, rows, columns, **tile, STAGES=stages)
    return y


TALL = [(2**20, 128, "bfloat16"), (2**20, 128, "float32"), (422400, 256, "float32"), (105600, 1024, "float32"), (4096, 4096, "float32")]  # fmt: skip


def shares(how: str, device: str = "h100-80gb-hbm3") -> dict[int, float]:
    """{bytes that a row moves: share of the best copy's speed} of matrices of 134 MB and more, by the fastest launch of this kind."""
    from .bench.call import copy_us

    found = {}
    for rows, columns, dtype in TALL:
        lines = recorded("placing", device, rows=rows, columns=columns, dtype=dtype, how=how)
        fastest = min(lines, key=lambda line: line.median_us)
        size = 2 * columns * (4 if dtype == "float32" else 2)
        found[size] = copy_us("placing", fastest, device) / fastest.median_us
    return found
