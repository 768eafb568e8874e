"""What one kernel moves in each state of the cache, and how long it takes by the GPU's own clock."""

from dataclasses import dataclass

from ..table import Table

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


def moved(state: str, provider: str = "row", dtype: str = "float32", columns: int = 1024) -> tuple[float, float]:
    """MB that the memory read and wrote while a kernel ran once, as recorded."""
    from .bench.call import spoken_of
    from .bench.experiment import recorded

    shape = {"provider": provider, "dtype": dtype, "columns": columns}
    (line,) = recorded("states", spoken_of("states"), **shape, state=state)
    return line.read_bytes / 1e6, line.written_bytes / 1e6


def bytes_moved(*states: str) -> Table:
    table = Table("状态 · state", "读，MB · read, MB", "写，MB · written, MB")
    for state in states:
        table.add(state, *(f"{mb:.1f}" for mb in moved(state)))
    return table
