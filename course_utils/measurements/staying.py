"""Programs that stay: how many on a multiprocessor, what one too many costs, what a pipeline gains, and what a tail costs."""

from functools import partial

from .bench import compare, inputs_for, timed_line
from .placing import softmax_by

CASES = [
    {"rows": 105600, "columns": 1024, "dtype": "float32"},  # 800 rows for each of the H100's 132 multiprocessors
    {"rows": 2**20, "columns": 128, "dtype": "bfloat16"},
]
COMPILES = True
Line = timed_line(rows=int, columns=int, dtype=str, warps=int, places=int, stages=int)  # places: of each multiprocessor


def ways(columns: int):
    """(warps, places, stages)"""
    if columns == 128:
        alone = [(1, places, stages) for places in (8, 16, 32) for stages in (1, 2, 3, 4)]
        return alone + [(warps, 8, stages) for warps in (2, 4, 8) for stages in (1, 4)]
    return [(8, places, 1) for places in range(1, 25)]


def measure(rows, columns, dtype):
    functions = {way: partial(softmax_by, 1, *way) for way in ways(columns)}
    for (way, _), timing in compare(functions, partial(inputs_for, rows, columns, dtype, "cuda")).items():
        yield Line(rows, columns, dtype, *way, **timing.us)
