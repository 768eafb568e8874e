"""Every single run of a measurement, as it came: what a median is made of."""

import time
from dataclasses import dataclass

DTYPE, ROWS, COLUMNS = "float32", 4096, 1024
RUNS = 100
PROVIDERS = ("row", "softmax", "copy")
EMPTY = "empty"  # a kernel that does nothing, in one program: what two events around a launch show of themselves
WAYS = {
    "stopwatch": "the host's clock around a launch and a wait; the first launch of all compiles",
    "again": "events around a launch; the same input again and again",
    "clean": "events around a launch, in this state of the cache",
    "dirty": "",
    "hot": "",
    "do_bench": "triton.testing.do_bench, on one input",
    "sustained": "a graph of many launches, each on an input and an output of its own; its time, divided",
}


@dataclass(frozen=True)
class Line:
    """One run of one provider."""

    provider: str
    way: str  # of measuring, see WAYS
    number: int
    nanoseconds: int


def cases():
    everybody = [{"provider": provider, "way": way} for provider in PROVIDERS for way in WAYS]
    return [{"provider": EMPTY, "way": way} for way in ("dirty", "sustained")] + everybody


def measure(provider, way):
    from triton.testing import do_bench

    from .bench.peers import prepared_for
    from .bench.stopwatch import inputs_for
    from .bench.stopwatch import measure as timed

    inputs = inputs_for(ROWS, COLUMNS, DTYPE, "cuda")
    function = prepared_for(inputs[0], (provider,))[provider] if provider != EMPTY else _launch_nothing
    if way == "stopwatch":
        runs = [_by_the_host(function, inputs[0]) for _ in range(RUNS)]
    elif way == "do_bench":
        runs = [ms / 1e3 for ms in do_bench(lambda: function(inputs[0]), rep=50, return_mode="all")[:RUNS]]
    elif way == "sustained":
        found = timed(function, inputs)
        runs = [found.low, found.median, found.high]
    else:
        runs = _by_events(function, inputs, way, ahead=20 if way == "again" else 60)
    for number, seconds in enumerate(runs):
        yield Line(provider, way, number, round(seconds * 1e9))


def runs(provider: str, way: str) -> list[float]:
    """Seconds of every run that was recorded so, in their order."""
    from .bench.call import spoken_of
    from .bench.experiment import recorded

    return [line.nanoseconds / 1e9 for line in recorded("samples", spoken_of("samples"), provider=provider, way=way)]


def _by_the_host(function, x) -> float:
    import torch

    torch.cuda.synchronize()
    start = time.perf_counter()
    function(x)
    torch.cuda.synchronize()
    return time.perf_counter() - start


def _by_events(function, inputs, way, ahead=60) -> list[float]:
    """Seconds of each run. The flushes before the first keep the GPU busy while the host queues what follows."""
    import torch

    from .bench.stopwatch import flush_for, leave_cache

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


def _launch_nothing(x):
    from .bench.kernels import empty_kernel

    empty_kernel[(1,)]()
