"""Keeps every run of a measurement instead of its median: a copy, the row kernel and `softmax`, in several ways."""

import time

import torch
from triton.testing import do_bench

from course_utils.softmax import row_softmax, softmax
from course_utils.timing.floors import copy
from course_utils.timing.samples import COLUMNS, DTYPE, ROWS, RUNS, Sample
from course_utils.timing.stopwatch import flush_for, inputs_for, leave_cache

PROVIDERS = {"copy": copy, "row": row_softmax, "softmax": softmax}


def measure_samples():
    inputs = inputs_for(ROWS, COLUMNS, getattr(torch, DTYPE), "cuda")
    for name, function in PROVIDERS.items():
        torch.cuda.synchronize()
        yield from _lines(name, "stopwatch", [_by_the_host(function, inputs[0]) for _ in range(RUNS)])
        for state in ("again", "clean", "dirty", "hot"):
            yield from _lines(name, state, _by_events(function, inputs, state))
        times = do_bench(lambda function=function: function(inputs[0]), rep=50, return_mode="all")
        yield from _lines(name, "do_bench", [ms / 1e3 for ms in times[:RUNS]])


def _lines(name, way, seconds):
    return [Sample(name, way, i, round(each * 1e9)) for i, each in enumerate(seconds)]


def _by_the_host(function, x) -> float:
    start = time.perf_counter()
    function(x)
    torch.cuda.synchronize()
    return time.perf_counter() - start


def _by_events(function, inputs, state) -> list[float]:
    """Seconds of each run. The flushes before the first keep the GPU busy while the host queues what follows."""
    events = [[torch.cuda.Event(enable_timing=True) for _ in range(2)] for _ in range(RUNS)]
    flush = flush_for(inputs[0].device)
    for _ in range(60):
        flush.zero_()
    for i, (start, end) in enumerate(events):
        x = inputs[0] if state == "again" else inputs[i % len(inputs)]
        leave_cache("" if state == "again" else state, function, x, [])
        start.record()
        function(x)
        end.record()
    torch.cuda.synchronize()
    return [start.elapsed_time(end) / 1e3 for start, end in events]
