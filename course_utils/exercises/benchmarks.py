"""Graders for benchmarks: run on pretend GPUs whose true times are known, and held against benchmarks with a known flaw.

The GPU of an exam looks like any other, and its figures are those of the data sheet. What it really does is another matter:
whoever reads the figures, or times a GPU of his own, gets another number than whoever measures this one.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import floor

from ..pretend_gpu import Event, PretendGPU, Work
from .probes import near, number
from .sayings import Sayings

QUIET = {"jitter": 0.0, "hiccup": 1.0}
WORKS = {"large": Work("large", 64 << 20), "small": Work("small", 20 << 20)}  # the small one fits the cache
NOT_TOLD = 777.0  # what `true_seconds` says, whatever it is asked


class ExamGPU(PretendGPU):
    """A GPU whose figures are not what it does, whose clock may tick coarsely, and which keeps the truth to itself."""

    def __init__(self, tick: float = 0.0, **really):
        super().__init__(**QUIET)
        self._really, self._tick = PretendGPU(**QUIET, **really), tick

    def true_seconds(self, work: Work) -> float:
        return NOT_TOLD

    def launch(self, work: Work) -> None:
        self._really.launch(work)

    def flush(self, by_reading: bool = False) -> None:
        self._really.flush(by_reading)

    def synchronize(self) -> None:
        self._really.synchronize()

    def event(self) -> Event:
        return self._really.event()

    def now(self) -> float:
        now = self._really.now()
        return floor(now / self._tick) * self._tick if self._tick else now


@dataclass(frozen=True)
class Benchmark:
    """A grader: the seconds that an answer measures on every GPU for every work, held against the truth."""

    says: Sayings
    gpus: list[dict]  # what they really do
    works: list[Work]
    share: float  # how far a right measurement may stray
    mistakes: list[tuple[str, Callable]]  # what is said, and a benchmark with this flaw: (gpu, work) -> seconds
    tick: float = 0.0  # of the clock; 0: fine

    def __call__(self, answer) -> None:
        cases = [(gpu, work) for gpu in self.gpus for work in self.works]
        got = [number(answer, ExamGPU(self.tick, **gpu), work) for gpu, work in cases]
        truth = [PretendGPU(**gpu).true_seconds(work) for gpu, work in cases]
        if self._agree(got, truth, self.share) and not self._ticks(got, truth):
            return
        if named := self._named(got, cases, truth):
            raise self.says.wrong(named)
        g, t = next((g, t) for g, t in zip(got, truth) if not near(g, t, self.share))
        raise self.says.wrong("differs", truth=f"{t * 1e6:.4g}", got=f"{g * 1e6:.4g}")

    def _named(self, got, cases, truth) -> str | None:
        if any(g <= 0 for g in got):
            return "not positive"
        if self._ticks(got, truth):
            return "stopwatch"
        found = {
            key
            for key, flawed in self.mistakes
            if self._agree(got, [flawed(ExamGPU(self.tick, **gpu), work) for gpu, work in cases], 0.015)
        }
        for key, times in (("milliseconds", 1e3), ("microseconds", 1e6)):
            if self._agree(got, [t * times for t in truth], self.share):
                found.add(key)
        return found.pop() if len(found) == 1 else None

    def _ticks(self, got, truth) -> bool:
        """Whether all are whole ticks of the clock, or whole ticks divided by a number of runs."""
        if not self.tick or any(g > 3 * t for g, t in zip(got, truth)):  # of a long time, anything looks whole
            return False
        return any(all(_whole(g * runs / self.tick) for g in got) for runs in (1, 2, 3, 5, 10, 20, 50, 100))

    @staticmethod
    def _agree(got, want, share) -> bool:
        return all(near(g, w, share) for g, w in zip(got, want))


def _whole(number: float) -> bool:
    return abs(number - round(number)) < 1e-5


def timed(gpu, work, *, warm=1, settle=True, runs=1, wait=True) -> float:
    """A stopwatch around launches. What is left out: warming up, waiting before it starts, waiting before it stops."""
    for _ in range(warm):
        gpu.launch(work)
    if settle:
        gpu.synchronize()
    start = gpu.now()
    for _ in range(runs):
        gpu.launch(work)
    if wait:
        gpu.synchronize()
    return (gpu.now() - start) / runs


def between_events(gpu, work, *, flush="before", settle=False, warm=True, runs=1) -> float:
    """Two events around a launch. `flush` says where the cache is flushed: before, inside, after it, or nowhere."""
    if warm:
        gpu.launch(work)
    if flush == "before":
        gpu.flush()
    if settle:
        gpu.synchronize()
    begin = gpu.event()
    if flush == "inside":
        gpu.flush()
    for _ in range(runs):
        gpu.launch(work)
    if flush == "after":
        gpu.flush()
    end = gpu.event()
    gpu.synchronize()
    return (end.at - begin.at) / runs


def in_turn(
    gpu, work, *, inputs=True, outputs=True, warm=60, runs=100, settle=False, among=10**6, flush="nowhere"
) -> float:
    """Two events around launches that have buffers of their own. What is left out: own inputs, own outputs, warming up; or
    so few take turns (`among`) that they are still in the cache when their turn comes again. `flush` says where the cache is
    flushed: once before, before each, or nowhere."""

    def launch(i):
        i %= among
        gpu.launch(replace(work, reads=f"x{i * inputs}", writes=f"y{i * outputs}"))

    for i in range(warm):
        launch(i)
    if settle:
        gpu.synchronize()
    if flush == "once":
        gpu.flush()
    begin = gpu.event()
    for i in range(warm, warm + runs):
        if flush == "each":
            gpu.flush()
        launch(i)
    end = gpu.event()
    gpu.synchronize()
    return (end.at - begin.at) / runs


def by_the_figures(gpu, work) -> float:
    """What the data sheet says, and about what a GPU of one's own does."""
    return 2 * work.nbytes / gpu.bandwidth


def on_another(gpu, work) -> float:
    return timed(PretendGPU(**QUIET), work)
