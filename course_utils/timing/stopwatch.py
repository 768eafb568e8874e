"""How long something takes, and in which state of the cache.

A launch returns before the work is done, so the device itself must say when it starts and ends. And what the last kernel left
in the cache helps or hinders the next one. There is no neutral state; there are four, and a claim must say which it means:

sustained  many launches in a row, each on an input and an output of its own, several times the cache in all. Every launch finds
           the cache as the one before left it, and leaves it so to the next: each pays for what it reads and writes.
clean      one launch, after the cache was emptied by reading. What it writes stays in the cache: somebody else pays for it.
dirty      one launch, after the cache was emptied by writing, as `do_bench` does. It pays for writing back what others wrote.
hot        one launch whose input was written by the kernel just before, as in a real model: what fits the cache is still there.
"""

import statistics
import time
from dataclasses import dataclass, replace

import torch

from ..language import both

STATES = ("sustained", "clean", "dirty", "hot")
FLUSH = 1 << 28  # bytes read or written to empty the cache: more than any L2 holds
APART = 4 * 10**8  # bytes of inputs to take turns: the next turn of one comes when none of it can be cached any more
MOST_INPUTS = 512
MOST_RUNS = 200
SECONDS = 0.02  # for one measurement, unless told otherwise
FLUSH_SECONDS = 3e-5  # the least that a flush takes: no memory moves 9 TB a second


@dataclass(frozen=True)
class Timing:
    """Seconds of a launch: the median of the runs, and the quantiles between which three in five lie. See `_on_device`."""

    median: float
    low: float
    high: float
    runs: int
    apart: float = 0.0  # the medians of the two halves

    @property
    def milliseconds(self) -> tuple[float, float, float]:
        """Median, low and high, as recordings write them."""
        return tuple(round(seconds * 1e3, 5) for seconds in (self.median, self.low, self.high))

    def in_microseconds(self, *more: str) -> dict[str, str]:
        """The same as columns of a recording; `more` of them on request."""
        return {f"{key}_us": f"{getattr(self, key) * 1e6:.2f}" for key in ("median", "low", "high", *more)}

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
    """Random inputs of one shape, to take turns: enough to outgrow the cache several times, unless they are tiny."""
    size = rows * columns * dtype.itemsize
    count = max(2, min(MOST_INPUTS, APART // size)) if torch.device(device).type != "cpu" else 2
    return [torch.randn(rows, columns, device=device).to(dtype) for _ in range(count)]


def measure(function, inputs, seconds: float = SECONDS, state: str = "sustained") -> Timing:
    """Times `function(x)` over the inputs in turn, for about so many seconds, in one of the four states of the cache.

    A CPU is timed call after call, whatever the state: its caches are nobody's to empty.
    """
    if state not in STATES:
        raise ValueError(
            both(
                f"缓存状态只有 {'、'.join(STATES)}，没有 {state!r}。",
                f"The states are {', '.join(STATES)}, not {state!r}.",
            )
        )
    function(inputs[0])  # compiles
    here = accelerator(inputs[0].device)
    if not here:
        return _enough(lambda runs: _on_cpu(function, inputs, runs), seconds)
    if state == "sustained":
        replay, launches = _all_launches(function, inputs, here), len(inputs)
        timed = _enough(lambda runs: _on_device(_nothing, replay, runs, inputs[0].device, ahead=False), seconds)
        per_launch = {name: getattr(timed, name) / launches for name in ("median", "low", "high", "apart")}
        return replace(timed, **per_launch)

    def launch(i):
        function(inputs[i % len(inputs)])

    def prepare(i):
        _BEFORE[state](inputs[i % len(inputs)])

    return _enough(lambda runs: _on_device(prepare, launch, runs, inputs[0].device), seconds)


def _enough(time_runs, seconds: float) -> Timing:
    """As many runs as take about so long."""
    return time_runs(max(10, min(MOST_RUNS, int(seconds / (time_runs(4).median + 6e-5)))))


# ---- what comes before a launch ----------------------------------------------------------------------------------------

_flushes: dict[torch.device, torch.Tensor] = {}


def flush_for(device) -> torch.Tensor:
    if device not in _flushes:
        _flushes[device] = torch.zeros(FLUSH // 4, device=device)
    return _flushes[device]


def _read_much(x) -> None:
    flush_for(x.device).sum()


def _write_much(x) -> None:
    flush_for(x.device).zero_()


def _write_input(x) -> None:
    _read_much(x)
    x.mul_(1)  # a kernel that writes what was there already


def _nothing(i) -> None:
    pass


_BEFORE = {"clean": _read_much, "dirty": _write_much, "hot": _write_input}


def leave_cache(state: str, function, x, others) -> list:
    """Leaves the cache as `function(x)` finds it in this state; "" leaves it alone. Returns what must stay in memory until then."""
    if state in _BEFORE:
        _BEFORE[state](x)
    return [function(other) for other in others] if state == "sustained" else []


def _all_launches(function, inputs, here):
    """A function that launches `function` on every input, with no output overwritten: as one CUDA graph, so that nothing lies
    between the launches; where there are no graphs, or one can't be made of it, one after the other.
    """

    def one_by_one(i):
        outputs[:] = [function(x) for x in inputs]

    outputs = []
    if not hasattr(here, "CUDAGraph"):
        return one_by_one
    graph, stream = here.CUDAGraph(), here.Stream()
    here.synchronize()
    try:
        with here.stream(stream):
            graph.capture_begin()
            try:
                outputs[:] = [function(x) for x in inputs]
            finally:
                graph.capture_end()
    except RuntimeError:  # it waits for the device in between, say
        here.synchronize()
        return one_by_one

    def replay(i):
        graph.replay()

    replay.outputs = outputs  # they live as long as it may be replayed
    return replay


# ---- between two marks -------------------------------------------------------------------------------------------------


def _on_device(prepare, run, count: int, device, ahead: bool = True) -> Timing:
    """Times `run`, after `prepare`, so often. The CPU gets a head start (`ahead`) unless a run takes the device longer than the CPU.

    Half of the runs after an even number of launches and half after an odd one, for they differ.

    On an H200 every other launch starts half a microsecond later. So the halves are averaged, the fastest run of one with the
    fastest of the other, and so on. (That is for functions of one kernel. One that launches an even number of them turns it
    round by itself, at every run.)
    """
    here = accelerator(device)
    half = count // 2
    here.synchronize(device)
    begun = time.perf_counter()
    prepare(0)
    run(0)
    behind = half * (time.perf_counter() - begun) * ahead  # seconds, in which the CPU launches half of the runs
    halves = [[[here.Event(enable_timing=True) for _ in range(2)] for _ in range(half)] for _ in range(2)]
    for events in halves:
        for _ in range(int(behind / FLUSH_SECONDS) | 1):  # an odd number
            flush_for(device).zero_()  # lets the CPU get ahead: no run shall wait for it
        for i, (start, end) in enumerate(events):
            prepare(i)
            start.record()
            run(i)
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
