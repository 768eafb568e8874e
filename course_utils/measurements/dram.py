"""Bytes that really reached the memory, counted by the hardware: a line for every kernel that each provider launches."""

from dataclasses import dataclass

WHO = ("naive", "row", "grid stride", "softmax")


@dataclass(frozen=True)
class Line:
    provider: str
    dtype: str
    rows: int
    columns: int
    kernel: str
    read_bytes: int
    written_bytes: int


def cases():
    return [{"dtype": "float32", "rows": 8192, "columns": 8192}]


def measure(dtype, rows, columns):
    from .bench.counters import DRAM, Case, count

    for counted in count([Case(who, dtype, rows, columns) for who in WHO], DRAM):
        yield Line(**counted)
