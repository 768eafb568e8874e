"""What the marks themselves add: how finely events tell the time, and why one kernel has two times half a microsecond apart.

A kernel that only counts to n, between two events, many times; and how long it took by the GPU's own clock, read in the kernel.
"""

from dataclasses import dataclass

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
