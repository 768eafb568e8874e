"""What one kernel moves in each state of the cache, and how long it takes by the GPU's own clock."""

from ..table import Table
from .bench import STATES, line_of, recorded
from .bench.counters import DRAM, NANOSECONDS, Case, count

SHAPES = (("float32", 1024), ("bfloat16", 512), ("bfloat16", 2048))  # fit the cache with their output, or without
WHO = ("liger", "quack", "row")
CASES = [{"dtype": dtype, "rows": 4096, "columns": n} for dtype, n in SHAPES]
Line = line_of(
    provider=str, dtype=str, rows=int, columns=int, state=str,
    kernel=str, read_bytes=int, written_bytes=int, nanoseconds=int,
)  # fmt: skip


def measure(dtype, rows, columns):
    asked = [Case(who, dtype, rows, columns, state) for who in WHO for state in STATES]
    for counted in count(asked, DRAM | NANOSECONDS):
        yield Line(**counted)


def moved(state: str) -> tuple[int, int]:
    """Bytes that the memory read and wrote while `row` ran once on 4096 x 1024 float32, as recorded."""
    (line,) = recorded("states", provider="row", dtype="float32", columns=1024, state=state)
    return line.read_bytes, line.written_bytes


BEFORE = {
    "dirty": "写 256 MB 别的数据 · 256 MB of other data written",
    "clean": "读 256 MB 别的数据 · 256 MB of other data read",
    "hot": "一个 kernel 写好输入 · a kernel writes the input",
    "sustained": "同样的启动，各用一份输入输出 · the same launch, on buffers of its own",
}


def bytes_moved(*states: str) -> Table:
    """What each state is, and what one launch moves in it."""
    table = Table("状态 · state", "启动以前 · before the launch", "读，MB · read, MB", "写，MB · written, MB")
    for state in states:
        table.add(state, BEFORE[state], *(f"{count / 1e6:.1f}" for count in moved(state)))
    return table
