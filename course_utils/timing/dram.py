"""Bytes that really reached the memory, counted by the hardware itself."""

from .counters import Case, count
from .measure import STATES

ROWS, COLUMNS = 8192, 8192
WHO = ("naive", "row", "grid stride", "softmax")
COUNTERS = {"read_bytes": "dram__bytes_read.sum", "written_bytes": "dram__bytes_write.sum"}
# What fits the cache with its output, what fits it without, and what does not.
STATE_SHAPES = (("bfloat16", 4096, 512), ("bfloat16", 4096, 2048), ("float32", 4096, 1024), ("float32", 4096, 4096))
STATE_WHO = ("copy", "liger", "quack", "softmax")


def count_dram() -> list[dict]:
    """A line for every kernel that each provider launches."""
    cases = [Case(who, "float32", ROWS, COLUMNS) for who in WHO]
    return count(cases, COUNTERS)


def count_states() -> list[dict]:
    """What one kernel moves in each state of the cache, and how long it takes by the GPU's own clock."""
    cases = [Case(who, *shape, state) for shape in STATE_SHAPES for who in STATE_WHO for state in STATES]
    return count(cases, COUNTERS | {"nanoseconds": "gpu__time_duration.sum"})
