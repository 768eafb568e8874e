"""Programs that stay: how many on a multiprocessor, what one too many costs, what a pipeline gains, and what a tail costs."""

from dataclasses import dataclass
from functools import partial

FITS = 8  # programs of eight warps on a multiprocessor
COMPILES = True


@dataclass(frozen=True)
class Line:
    rows: int
    columns: int
    dtype: str
    warps: int
    places: int  # programs launched for each multiprocessor
    stages: int
    median_us: float
    low_us: float
    high_us: float


def cases():
    yield {"rows": 105600, "columns": 1024, "dtype": "float32"}  # 800 rows for each of 132 multiprocessors
    yield {"rows": 2**20, "columns": 128, "dtype": "bfloat16"}
    yield from ({"rows": rows, "columns": 2048, "dtype": "float32"} for rows in _about_a_wave())


def _about_a_wave():
    from .. import hardware

    wave = FITS * hardware.here().multiprocessors
    return wave // 2, wave, wave + 1, wave * 3 // 2, 2 * wave, 4 * wave


def ways(columns: int):
    """(warps, places, stages)"""
    if columns == 128:
        return [(1, places, stages) for places in (8, 16, 32) for stages in (1, 2, 3, 4)]
    return [(8, places, 1) for places in (range(1, 25) if columns == 1024 else [FITS])]


def measure(rows, columns, dtype):
    from .bench.stopwatch import compare, inputs_for
    from .placing import softmax_by

    functions = {way: partial(softmax_by, 1, *way) for way in ways(columns)}
    for (way, _), timing in compare(functions, lambda: inputs_for(rows, columns, dtype, "cuda")).items():
        yield Line(rows, columns, dtype, *way, **timing.us)
