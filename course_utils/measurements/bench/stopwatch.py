"""How long something takes, and in which state of the cache.

A launch returns before the work is done, so the device itself must say when it starts and ends. And what the last kernel left
in the cache helps or hinders the next one. There is no neutral state; there are four, and a claim must say which it means:

sustained  many launches in a row, each on an input and an output of its own, several times the cache in all. Every launch finds
           the cache as the one before left it, and leaves it so to the next: each pays for what it reads and writes.
clean      one launch, after the cache was emptied by reading. What it writes stays in the cache: somebody else pays for it.
dirty      one launch, after the cache was emptied by writing, as `do_bench` does. It pays for writing back what others wrote.
hot        one launch whose input was written by the kernel just before, as in a real model: what fits the cache is still there.

Where a buffer lies moves a time by up to 8 %. So `compare` gives everybody the same buffers, several times anew.
"""

import os
import random
import statistics
import time
from dataclasses import dataclass, replace

import torch

STATES = ("sustained", "clean", "dirty", "hot")
FLUSH = 1 << 28  # bytes read or written to empty the cache: more than any L2 holds
APART = 4 * 10**8  # bytes of inputs to take turns: the next turn of one comes when none of it can be cached any more
MOST_INPUTS = 512
MOST_RUNS = 200
SECONDS = 0.02  # for one measurement, unless told otherwise
FLUSH_SECONDS = 3e-5  # the least that a flush takes: no memory moves 9 TB a second
ONLY_COMPILES = "COURSE_ONLY_COMPILES"  # set where nothing is timed: every function is called once


@dataclass(frozen=True)
class Timing:
    """Seconds of a launch: the median of the runs, and the quantiles between which three in five lie. See `_on_device`."""

    median: float
    low: float
    high: float

    @property
    def us(self) -> dict[str, float]:
        """Microseconds, as the columns of a recording."""
        return {f"{key}_us": round(getattr(self, key) * 1e6, 3) for key in ("median", "low", "high")}

    @classmethod
    def of(cls, seconds) -> "Timing":
        seconds = sorted(seconds)
        last = len(seconds) - 1
        return cls(statistics.median(seconds), seconds[round(0.2 * last)], seconds[round(0.8 * last)])


def accelerator(device):
    """What torch offers for devices of this kind: `torch.cuda`, `torch.npu`, with the same events; None for the CPU."""
    return None if torch.device(device).type == "cpu" else torch.get_device_module(device)


def inputs_for(rows: int, columns: int, dtype, device) -> list:
    """Random inputs of one shape, to take turns: enough to outgrow the cache several times, unless they are tiny.

    The type is torch's, or its name.
    """
    dtype = getattr(torch, dtype) if isinstance(dtype, str) else dtype
    count = max(2, min(MOST_INPUTS, APART // (rows * columns * dtype.itemsize)))
    if os.environ.get(ONLY_COMPILES):
        count = 1
    elif torch.device(device).type == "cpu":
        count = 2
    return [torch.randn(rows, columns, device=device).to(dtype) for _ in range(count)]


def timed(function, inputs, seconds: float = SECONDS, state: str = "sustained") -> Timing:
    """Times `function(x)` over the inputs in turn, for about so many seconds, in one of the four states of the cache.

    A CPU is timed call after call, whatever the state: its caches are nobody's to empty.
    """
    return prepared(function, inputs, state)(seconds)


def compare(functions, make_inputs, states=("sustained",), rounds=3, seconds=SECONDS, refused=None) -> dict:
    """{(name, state): Timing} of functions that are held against each other.

    Every round has buffers of its own, elsewhere in memory; there everybody reads the same inputs and writes to the same outputs,
    in random order. `functions`: {name: what takes an input and returns its output}; `make_inputs()` gives the inputs. Errors go
    into the dictionary `refused`, where there is one, as {(name, state): error}, and whoever raised one is no longer measured.
    """
    turns = {}
    for _ in range(1 if os.environ.get(ONLY_COMPILES) else rounds):
        elsewhere = _take_some_memory()
        inputs = make_inputs()
        for state in states:
            ready, place = {}, _common_place(inputs[0].device)
            for name, function in functions.items():
                if refused and (name, state) in refused:
                    continue
                try:
                    ready[name] = prepared(function, inputs, state, place)
                except Exception as error:  # of every kind: many functions are other people's
                    if refused is None:
                        raise
                    refused[name, state] = error
                    turns.pop((name, state), None)
            for name in random.sample(list(ready), len(ready)):
                turns.setdefault((name, state), []).append(ready[name](seconds))
        here = accelerator(inputs[0].device)
        del elsewhere, inputs, ready, place
        if here:
            here.empty_cache()
    asked = ((name, state) for state in states for name in functions)
    return {who: _middle(turns[who]) for who in asked if who in turns}


def _middle(turns: list[Timing]) -> Timing:
    """The median of the turns, the fastest and the slowest of them."""
    medians = [turn.median for turn in turns]
    return Timing(statistics.median(medians), min(medians), max(medians))


def prepared(function, inputs, state: str = "sustained", place=None):
    """What times `function` for so many seconds. In a `place` shared with others, its outputs lie where theirs lay."""
    function(inputs[0])  # compiles
    if os.environ.get(ONLY_COMPILES):
        return lambda seconds: Timing.of([1.0])
    here = accelerator(inputs[0].device)
    if not here:
        return lambda seconds: _enough(lambda runs: _on_cpu(function, inputs, runs), seconds)
    if state == "sustained":
        run, launches = _all_launches(function, inputs, here, place), len(inputs)
    else:
        run, launches = function, 1

    def for_seconds(seconds):
        found = _enough(lambda runs: _on_device(run, inputs, state, runs), seconds)
        per_launch = {name: getattr(found, name) / launches for name in ("median", "low", "high")}
        return replace(found, **per_launch)

    return for_seconds


def _enough(time_runs, seconds: float) -> Timing:
    """As many runs as take about so long."""
    return time_runs(max(10, min(MOST_RUNS, int(seconds / (time_runs(4).median + 6e-5)))))


# ---- what comes before a launch ----------------------------------------------------------------------------------------

_flushes: dict = {}


def flush_for(device):
    if device not in _flushes:
        _flushes[device] = torch.zeros(FLUSH // 4, device=device)
    return _flushes[device]


def leave_cache(state: str, x) -> None:
    """Leaves the cache as a launch on `x` finds it in this state; sustained, as it is."""
    if state == "dirty":
        flush_for(x.device).zero_()
    elif state in ("clean", "hot"):
        flush_for(x.device).sum()
    if state == "hot":
        x.mul_(1)  # a kernel that writes what was there already


def _take_some_memory() -> list:
    """So that what is allocated next lies elsewhere than the last time."""
    sizes = [random.randrange(1, FLUSH) for _ in range(3)] if torch.cuda.is_available() else []
    return [torch.empty(size, dtype=torch.uint8, device="cuda") for size in sizes]


def _common_place(device):
    """A pool of memory and the stream that it belongs to, for the outputs of graphs that run one at a time; None without graphs."""
    here = accelerator(device)
    return (here.graph_pool_handle(), here.Stream()) if hasattr(here, "graph_pool_handle") else None


def _all_launches(function, inputs, here, place):
    """A function that launches `function` on every input, with no output overwritten: as one CUDA graph, so that nothing lies
    between the launches; where there are no graphs, or one can't be made of it, one after the other.
    """
    outputs = []

    def one_by_one(x):
        outputs[:] = [function(x) for x in inputs]

    if not hasattr(here, "CUDAGraph"):
        return one_by_one
    graph = here.CUDAGraph()
    pool, stream = place or (None, here.Stream())
    here.synchronize()
    try:
        with here.stream(stream):
            graph.capture_begin(**({"pool": pool} if pool else {}))
            try:
                one_by_one(None)
            finally:
                graph.capture_end()
    except RuntimeError:  # it waits for the device in between, say
        here.synchronize()
        return one_by_one
    if place:
        outputs.clear()  # the next graph's take the same place, which the pool keeps as long as one of its graphs lives

    def replay(x):
        graph.replay()

    replay.outputs = outputs  # they live as long as it may be replayed
    return replay


# ---- between two marks -------------------------------------------------------------------------------------------------


def _on_device(run, inputs, state: str, count: int) -> Timing:
    """Times `run` so often, on the inputs in turn, each time with the cache left in this state.

    Half of the runs after an even number of launches and half after an odd one, for they differ: on an H200 every other launch
    starts half a microsecond later. So the halves are averaged, the fastest run of one with the fastest of the other, and so on.
    (That is for functions of one kernel. One that launches an even number of them turns it round by itself, at every run.)
    """
    device, half = inputs[0].device, count // 2
    here = accelerator(device)
    here.synchronize(device)
    begun = time.perf_counter()
    leave_cache(state, inputs[0])
    run(inputs[0])
    # The CPU gets a head start of half of the runs; many launches in a row take the device longer than the CPU anyway.
    behind = half * (time.perf_counter() - begun) * (state != "sustained")
    halves = [[[here.Event(enable_timing=True) for _ in range(2)] for _ in range(half)] for _ in range(2)]
    for events in halves:
        for _ in range(int(behind / FLUSH_SECONDS) | 1):  # an odd number
            flush_for(device).zero_()
        for i, (start, end) in enumerate(events):
            x = inputs[i % len(inputs)]
            leave_cache(state, x)
            start.record()
            run(x)
            end.record()
    here.synchronize(device)
    one, other = (sorted(start.elapsed_time(end) / 1e3 for start, end in events) for events in halves)
    return Timing.of((a + b) / 2 for a, b in zip(one, other, strict=True))


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
