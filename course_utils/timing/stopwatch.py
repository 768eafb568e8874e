"""How long something takes. A launch returns before the work is done, so the device itself must say when it starts and ends."""

import statistics
import time
from dataclasses import dataclass, replace

import torch

FLUSH = 1 << 28  # bytes written between runs: more than any L2 cache holds
APART = 5 * 10**8  # bytes of inputs to take turns: the next turn of one comes when none of it can be cached any more
MOST_INPUTS = 32
MOST_RUNS = 200
SECONDS = 0.02  # for one measurement, unless told otherwise
FLUSH_SECONDS = 3e-5  # the least that a flush takes: no memory writes 9 TB a second


@dataclass(frozen=True)
class Timing:
    """Seconds: the median of the runs, and the quantiles between which three in five lie. On a device, of averages of two runs."""

    median: float
    low: float
    high: float
    runs: int
    apart: float = 0.0  # the medians of the two halves, see `_on_device`

    @property
    def milliseconds(self) -> tuple[float, float, float]:
        """Median, low and high, as recordings write them."""
        return tuple(round(seconds * 1e3, 5) for seconds in (self.median, self.low, self.high))

    @classmethod
    def of(cls, seconds) -> "Timing":
        seconds = sorted(seconds)
        last = len(seconds) - 1
        return cls(statistics.median(seconds), seconds[round(0.2 * last)], seconds[round(0.8 * last)], len(seconds))


def gigabytes_per_second(x: torch.Tensor, seconds: float) -> float:
    """The fewest bytes a softmax moves, once in and once out, over the time it took: one scale for every implementation."""
    return 2 * x.numel() * x.element_size() / seconds / 1e9


def accelerator(device):
    """What torch offers for devices of this kind: `torch.cuda`, `torch.npu`, with the same events; None for the CPU."""
    return None if torch.device(device).type == "cpu" else torch.get_device_module(device)


def inputs_for(rows: int, columns: int, dtype: torch.dtype, device) -> list[torch.Tensor]:
    """Random inputs of one shape, to take turns: enough to outgrow the cache, unless they are tiny."""
    size = rows * columns * dtype.itemsize
    count = max(2, min(MOST_INPUTS, APART // size)) if torch.device(device).type != "cpu" else 2
    return [torch.randn(rows, columns, device=device).to(dtype) for _ in range(count)]


def measure(function, inputs, seconds: float = SECONDS) -> Timing:
    """Times `function(x)` over the inputs in turn, for about so many seconds; off the CPU with a cold cache before every run."""
    function(inputs[0])  # compiles
    run = _on_device if accelerator(inputs[0].device) else _on_cpu
    count = int(seconds / (run(function, inputs, 4).median + 6e-5))
    return run(function, inputs, max(10, min(MOST_RUNS, count)))


_flush: dict[torch.device, torch.Tensor] = {}


def _on_device(function, inputs, count: int) -> Timing:
    """Half of the runs after an even number of launches and half after an odd one, for they differ.

    On an H200 it adds half a microsecond, or does not, with hardly anything in between. So the halves are averaged, the
    fastest run of one with the fastest of the other, and so on. (That is for functions of one kernel. One that launches an
    even number of them turns it round by itself, at every run.)
    """
    device = inputs[0].device
    here = accelerator(device)
    if device not in _flush:
        _flush[device] = torch.empty(FLUSH, dtype=torch.int8, device=device)
    half = count // 2
    here.synchronize(device)
    begun = time.perf_counter()
    function(inputs[0])
    behind = half * (time.perf_counter() - begun)  # seconds, in which the CPU launches half of the runs
    halves = [[[here.Event(enable_timing=True) for _ in range(2)] for _ in range(half)] for _ in range(2)]
    for events in halves:
        for _ in range(int(behind / FLUSH_SECONDS) | 1):  # an odd number
            _flush[device].zero_()  # lets the CPU get ahead: no run shall wait for it
        for i, (start, end) in enumerate(events):
            _flush[device].zero_()
            start.record()
            function(inputs[i % len(inputs)])
            end.record()
    here.synchronize(device)
    one, other = (sorted(start.elapsed_time(end) / 1e3 for start, end in events) for events in halves)
    apart = abs(statistics.median(one) - statistics.median(other))
    return replace(Timing.of((a + b) / 2 for a, b in zip(one, other, strict=True)), runs=2 * half, apart=apart)


def _on_cpu(function, inputs, count: int) -> Timing:
    times = []
    for i in range(count):
        start = time.perf_counter()
        function(inputs[i % len(inputs)])
        times.append(time.perf_counter() - start)
    return Timing.of(times)


def host_times(functions: dict, x, calls: int = 200, rounds: int = 40) -> dict[str, Timing]:
    """Seconds that the CPU spends on one call of each, the device's work not included: it runs on while the CPU prepares the next.

    They take turns, so that a CPU that others slow down for a while slows all of them.
    """
    here = accelerator(x.device)
    wait = here.synchronize if here else lambda: None
    times = {name: [] for name in functions}
    for _ in range(1 + rounds):  # the first one only warms up
        for name, function in functions.items():
            wait()
            start = time.perf_counter()
            for _ in range(calls):
                function(x)
            times[name].append((time.perf_counter() - start) / calls)
    wait()
    return {name: Timing.of(of_one[1:]) for name, of_one in times.items()}
