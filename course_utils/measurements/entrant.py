"""05's tile, as its launcher launches it, in the contest's shapes and states: beside the best copies, with what warps wait for."""

from dataclasses import dataclass

from . import times

COMPILES = True


@dataclass(frozen=True)
class Line:
    state: str
    dtype: str
    rows: int
    columns: int
    provider: str
    median_us: float
    low_us: float
    high_us: float
    kernel: str = ""


def cases():
    return [case for case in times.cases() if case["columns"] <= 32768]


def measure(dtype, rows, columns):
    yield from times.measure(dtype, rows, columns, ("tile", "softmax late"))
