"""Programs that stay, away from short rows: at the scoreboard's widths, with a row more than a wave, with a program more than fits,
and with ever more stages where a multiprocessor has one program."""

from dataclasses import dataclass
from functools import partial

WIDTHS = (256, 781, 1024, 4097, 8192, 12672)  # of 4096 rows
TAIL = (1056, 1057, 1584, 2112, 4224)  # rows of 4096 columns
TALL = (105600, 1024)
COMPILES = True


@dataclass(frozen=True)
class Line:
    rows: int
    columns: int
    dtype: str
    warps: int
    places: int  # programs launched for each multiprocessor; 0: a program a row
    stages: int
    median_us: float
    low_us: float
    high_us: float


def cases():
    shapes = [(*TALL, "float32"), *((rows, 4096, "float32") for rows in TAIL)]
    shapes += [(4096, n, dtype) for n in WIDTHS for dtype in ("float32", "bfloat16")]
    return [{"rows": rows, "columns": columns, "dtype": dtype} for rows, columns, dtype in shapes]


def measure(rows, columns, dtype):
    from .bench.stopwatch import compare, inputs_for
    from .placing import softmax_by

    functions = {way: partial(softmax_by, 1, *way) for way in ways(rows, columns)}
    found = compare(functions, lambda: inputs_for(rows, columns, dtype, "cuda"), refused={})
    for (way, _), timing in found.items():
        yield Line(rows, columns, dtype, *way, **timing.us)


def ways(rows: int, columns: int) -> list[tuple[int, int, int]]:
    """(warps, places, stages) that are tried."""
    if (rows, columns) == TALL:
        return [(8, places, 1) for places in range(1, 17)] + [(8, places, s) for places in (1, 8) for s in (2, 3, 4)]
    if columns == 4096 and rows in TAIL:
        return [(8, 8, 1)]
    block = 1 << (columns - 1).bit_length()
    warps = [w for w in (1, 2, 4, 8, 16) if 2 <= block // (32 * w) <= 64]
    stay = [(w, p, s) for w in warps for p in (2, 4, 8, 16, 32) for s in (1, 3) if p * w <= 64]
    return [(w, 0, 0) for w in warps] + stay
