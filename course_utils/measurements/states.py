"""What one kernel moves in each state of the cache, and how long it takes by the GPU's own clock."""

from dataclasses import dataclass

# What fits the cache with its output, what fits it without, and what does not.
SHAPES = (("float32", 1024), ("bfloat16", 512), ("bfloat16", 2048), ("float32", 4096))
WHO = ("copy", "liger", "quack", "row", "softmax")


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


def cases():
    return [{"dtype": dtype, "rows": 4096, "columns": columns} for dtype, columns in SHAPES]


def measure(dtype, rows, columns):
    from .bench.counters import DRAM, NANOSECONDS, Case, count
    from .bench.stopwatch import STATES

    asked = [Case(who, dtype, rows, columns, state) for who in WHO for state in STATES]
    for counted in count(asked, DRAM | NANOSECONDS):
        yield Line(**counted)
