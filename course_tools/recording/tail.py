"""Measures the tail: resident programs on ever more rows."""

import torch

from course_utils import hardware
from course_utils.softmax import grid_stride_kernel
from course_utils.timing.stopwatch import inputs_for, measure
from course_utils.timing.tail import COLUMNS, NUM_WARPS, PER_MULTIPROCESSOR, Tail


def measure_tails():
    """So many rows that the last wave is full, or holds one."""
    p = PER_MULTIPROCESSOR * hardware.here().multiprocessors
    for columns in COLUMNS:
        for n_rows in (p // 2, p, p + 1, p + p // 2, 2 * p, 2 * p + 1, 4 * p, 4 * p + 1):
            inputs = inputs_for(n_rows, columns, torch.float32, "cuda")
            programs = min(p, n_rows)

            def launch(x, n_rows=n_rows, columns=columns, programs=programs):
                y = torch.empty_like(x)
                grid_stride_kernel[(programs,)](
                    y, x, columns, columns, n_rows, columns, BLOCK_SIZE=columns, STAGES=1, num_warps=NUM_WARPS
                )
                return y

            for state in ("sustained", "dirty"):
                timing = measure(launch, inputs, state=state)
                times = (round(seconds * 1e6, 3) for seconds in (timing.median, timing.low, timing.high))
                yield Tail(columns, p, n_rows, state, *times)
