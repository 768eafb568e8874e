"""Measures the marks: a kernel that only counts, between two events, after odd and even numbers of launches."""

import statistics
from collections import Counter

import torch

from course_utils.backend import tl, triton
from course_utils.timing.marks import COUNTS, RUNS, Mark
from course_utils.timing.stopwatch import flush_for


@triton.jit
def counting_kernel(own_ptr, n):
    begun = tl.extra.cuda.globaltimer()
    x = 0.0
    for _ in range(n):
        x = x * 1.0001 + 1.0
    tl.store(own_ptr + 1, x.to(tl.int64))
    tl.store(own_ptr, tl.extra.cuda.globaltimer() - begun)


def measure_marks():
    """Every count after one launch, some after two: then every run comes after as many launches as the one before it."""
    flush = flush_for(torch.device("cuda", torch.cuda.current_device()))
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
