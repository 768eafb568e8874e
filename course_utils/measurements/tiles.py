"""How many rows a program, and how many warps: a plain tile at every choice of both, beside the best late copy on the same buffers.

The scoreboard's shapes first, then shapes that were looked at while rules were chosen between, then those that no rule had seen.
"""

from functools import partial

from ..language import both
from .bench import recorded, timed_line
from .placing import softmax_by
from .ruler import beside_copies

WIDTHS = (256, 781, 1024, 4097, 8192, 12672, 32768)  # the scoreboard's, but for the one that no program holds
SCOREBOARD = [(4096, n) for n in WIDTHS] + [(2**20, 128)]
LOOKED_AT = [
    (300, 1024), (1000, 1024), (1000, 4096), (65536, 384), (16384, 640), (2000, 3000), (8192, 6000), (512, 20000), (100000, 100),
]  # fmt: skip
LATER = [(4096, 512), (3000, 200), (777, 5000), (20000, 1500), (5000, 10000), (200, 28000)]  # named when the rule stood
DTYPES = ("float32", "bfloat16")
CASES = [{"rows": rows, "columns": n, "dtype": dtype} for rows, n in SCOREBOARD + LOOKED_AT + LATER for dtype in DTYPES]
COMPILES = True
COPY = {"together": 0}
Line = timed_line(rows=int, columns=int, dtype=str, together=int, warps=int)  # rows of a program; 0: the best copy


def measure(rows, columns, dtype):
    tiles = {way: partial(softmax_by, *way, 0, 0) for way in ways(columns)}
    for (way, _), timing in beside_copies(tiles, rows, columns, dtype, late=(0, 0), refused={}).items():
        yield Line(rows, columns, dtype, *way, **timing.us)


def ways(columns: int):
    """(rows of a program, warps): as many elements a thread as may be of use, and the row kernel's four warps."""
    block = 1 << (columns - 1).bit_length()
    for together in (1, 2, 4, 8, 16):
        for warps in (1, 2, 4, 8, 16, 32):
            held = together * block // (32 * warps)
            if 2 <= held <= 64 and (together == 1 or warps <= 8 and together * block <= 16384):
                yield together, warps
    if block > 64 * 128:
        yield 1, 4


def regret(rule, rows: int, columns: int, dtype: str) -> float:
    """What `rule(rows, columns, size)` chooses, (rows a program, warps), beside the best of all that was tried: 1 is the best."""
    lines = recorded("tiles", rows=rows, columns=columns, dtype=dtype)
    times = {(line.together, line.warps): line.median_us for line in lines if line.together}
    way = tuple(rule(rows, columns, 4 if dtype == "float32" else 2))
    if way not in times:
        raise LookupError(
            both(
                f"{rows} × {columns}、{dtype}：{way} 没有录过，录过的有 {sorted(times)}。",
                f"{rows} × {columns}, {dtype}: {way} was not recorded; there is {sorted(times)}.",
            )
        )
    return times[way] / min(times.values())
