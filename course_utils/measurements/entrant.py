"""05's tile, as its launcher launches it, in the contest's shapes and states, beside the best copies and the course's own softmax."""

from . import times
from .times import Line

__all__ = ["Line", "cases", "measure"]
COMPILES = True


def cases():
    return [case for case in times.cases() if case["columns"] <= 32768]


def measure(dtype, rows, columns):
    yield from times.measure(dtype, rows, columns, (times.ENTRANT, "softmax late"))
