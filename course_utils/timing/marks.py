"""What the marks themselves add: how finely events tell the time, and why one kernel has two times half a microsecond apart.

A kernel that only counts to n, between two events, many times; and how long it took by the GPU's own clock, read in the kernel.
"""

from dataclasses import dataclass
from statistics import median

from .recorded import DEVICE, rows

COUNTS = range(0, 2001, 50)
RUNS = 100  # of each half


@dataclass(frozen=True)
class Mark:
    """So many runs of one count took so long: after an odd number of launches before the first (1), or an even one (0).

    `between` launches lie between one run and the next.
    """

    count: int
    half: int
    between: int
    nanoseconds: int
    runs: int
    own_nanoseconds: float  # by the clock in the kernel: the median of all runs of this count and half


def recorded(device: str = DEVICE) -> list[Mark]:
    return rows(Mark, "marks", device)


def apart(count: int, between: int, device: str = DEVICE) -> float:
    """How far apart the medians of the two halves are, in nanoseconds."""
    found = [mark for mark in recorded(device) if (mark.count, mark.between) == (count, between)]
    halves = ([mark.nanoseconds for mark in found if mark.half == half for _ in range(mark.runs)] for half in (0, 1))
    even, odd = map(median, halves)
    return abs(odd - even)
