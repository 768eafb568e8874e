"""What the marks themselves add: how finely events tell the time, and why one kernel has two times half a microsecond apart.

A kernel that only counts to n, between two events, many times; and how long it took by the GPU's own clock, read in the kernel.

python -m course_utils.timing.marks    writes recorded/<device>-marks.csv
"""

import statistics
from collections import Counter
from dataclasses import asdict, dataclass

from ..backend import tl, triton
from .recorded import rows, write

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


@triton.jit
def counting_kernel(own_ptr, n):
    begun = tl.extra.cuda.globaltimer()
    x = 0.0
    for _ in range(n):
        x = x * 1.0001 + 1.0
    tl.store(own_ptr + 1, x.to(tl.int64))
    tl.store(own_ptr, tl.extra.cuda.globaltimer() - begun)


def recorded(device: str = "h200") -> list[Mark]:
    return rows(Mark, "marks", device)


def measure_marks():
    """Every count after one launch, some after two: then every run comes after as many launches as the one before it."""
    import torch

    from .measure import _flush

    flush = _flush(torch.device("cuda", torch.cuda.current_device()))
    own = torch.zeros(RUNS, 2, dtype=torch.int64, device="cuda")
    counting_kernel[(1,)](own, 1, num_warps=1)
    for between in (1, 2):
        for count in COUNTS if between == 1 else (0, 1000, 2000):
            for half in (0, 1):
                events = [[torch.cuda.Event(enable_timing=True) for _ in range(2)] for _ in range(RUNS)]
                for _ in range(40 + half):
                    flush.zero_()
                for (start, end), mine in zip(events, own, strict=True):
                    for _ in range(between):
                        flush.zero_()
                    start.record()
                    counting_kernel[(1,)](mine, count, num_warps=1)
                    end.record()
                torch.cuda.synchronize()
                by_itself = statistics.median(own[:, 0].tolist())
                times = Counter(round(start.elapsed_time(end) * 1e6) for start, end in events)
                for nanoseconds, runs in sorted(times.items()):
                    yield Mark(count, half, between, nanoseconds, runs, by_itself)


if __name__ == "__main__":
    from .record import provenance, short_name

    told = provenance("python -m course_utils.timing.marks")
    print(write("marks", short_name(told), told, list(map(asdict, measure_marks()))))
