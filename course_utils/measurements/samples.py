"""Every single run of a measurement, as it came: what a median is made of."""

import time

import torch

from ..softmax import row_softmax
from .bench import empty_kernel, every, flush_for, inputs_for, leave_cache, line_of, recorded, timed

RUNS = 100
CASES = [{"provider": "row", "way": "again"}, *every(provider=("empty",), way=("dirty", "sustained"))]
# One run. `empty` is a kernel that does nothing: what two events around a launch show of themselves.
# again: events around a launch, the same input each time; dirty: after the cache was; sustained: by a graph
Line = line_of(provider=str, way=str, number=int, nanoseconds=int)


def measure(provider, way):
    inputs = inputs_for(4096, 1024, "float32", "cuda")
    function = row_softmax if provider == "row" else _launch_nothing
    if way == "sustained":
        found = timed(function, inputs)
        runs = [found.low, found.median, found.high]
    else:
        runs = by_events(function, inputs, way, ahead=20 if way == "again" else 60)
    for number, seconds in enumerate(runs):
        yield Line(provider, way, number, round(seconds * 1e9))


def _launch_nothing(x):
    empty_kernel[(1,)]()


def runs(provider: str, way: str) -> list[float]:
    """Seconds of every run that was recorded so, in their order."""
    return [line.nanoseconds / 1e9 for line in recorded("samples", provider=provider, way=way)]


def by_the_host(function, x) -> float:
    torch.cuda.synchronize()
    start = time.perf_counter()
    function(x)
    torch.cuda.synchronize()
    return time.perf_counter() - start


def by_events(function, inputs, way, ahead=60) -> list[float]:
    """Seconds of each run. The flushes before the first keep the GPU busy while the host queues what follows."""
    events = [[torch.cuda.Event(enable_timing=True) for _ in range(2)] for _ in range(RUNS)]
    flush = flush_for(inputs[0].device)
    for _ in range(ahead):
        flush.zero_()
    for i, (start, end) in enumerate(events):
        x = inputs[0] if way == "again" else inputs[i % len(inputs)]
        leave_cache(way, x)
        start.record()
        function(x)
        end.record()
    torch.cuda.synchronize()
    return [start.elapsed_time(end) / 1e3 for start, end in events]
