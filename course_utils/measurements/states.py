"""What one kernel moves in each state of the cache, and how long it takes by the GPU's own clock."""

from dataclasses import dataclass

from .bench import STATES
from .bench.counters import DRAM, NANOSECONDS, Case, count

SHAPES = (("float32", 1024), ("bfloat16", 512), ("bfloat16", 2048))  # fit the cache with their output, or without
WHO = ("liger", "quack", "row")
CASES = [{"dtype": dtype, "rows": 4096, "columns": n} for dtype, n in SHAPES]


@dataclass(frozen=True)
class Line:
    provider: str
    dtype: str
    rows: int
    columns: int
    state: str
    kernel: str
    read_bytes: int
    written_bytes: int
    nanoseconds: int


def measure(dtype, rows, columns):
    asked = [Case(who, dtype, rows, columns, state) for who in WHO for state in STATES]
    for counted in count(asked, DRAM | NANOSECONDS):
        yield Line(**counted)
