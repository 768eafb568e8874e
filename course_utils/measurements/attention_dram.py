"""Bytes that really reached the memory while attention over one head ran, all scores written, and tile by tile; a line a kernel."""

from .bench import line_of
from .bench.counters import DRAM, Case, count

WHO = ("attention", "naive attention")
CASES = [{"dtype": "bfloat16", "rows": 16384, "columns": 128}]
Line = line_of(provider=str, dtype=str, rows=int, columns=int, kernel=str, read_bytes=int, written_bytes=int)


def measure(dtype, rows, columns):
    for counted in count([Case(who, dtype, rows, columns) for who in WHO], DRAM):
        yield Line(**counted)
