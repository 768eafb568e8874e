"""The exercises of 06_benchmark: benchmarks with a flaw, on GPUs whose true times are known (questions: `nb06_questions`)."""

from functools import partial
from math import floor
from statistics import mean, median

from ..pretend_gpu import Work
from .benchmarks import WORKS, Benchmark, between_events, by_the_figures, on_another, timed
from .exercise import Exercise
from .formulas import Formula
from .nb06_questions import QUESTIONS
from .nb06_says import SAYS
from .probes import near, number

__all__ = ["EXERCISES", "QUESTIONS"]

ANYBODY = [
    ("answer key", lambda gpu, work: gpu.true_seconds(work)),
    ("by the figures", by_the_figures),
    ("by the figures", on_another),
]
RUNS = (2, 3, 5, 10, 20, 50, 100, 1000)

_WARM_MISTAKES = [
    *ANYBODY,
    ("compiled", partial(timed, warm=0)),
    ("compiled", partial(timed, warm=0, wait=False)),
    *[("spread", partial(timed, warm=0, runs=runs)) for runs in RUNS],
    *[("spread", partial(timed, warm=0, runs=runs, wait=False)) for runs in RUNS],
    ("launch alone", partial(timed, wait=False)),
    *[
        ("still queued", partial(timed, warm=warm, settle=False, runs=runs))
        for warm in (1, 2, 3, 5, 10)
        for runs in (1, *RUNS)
    ],
    *[
        ("not divided", lambda gpu, work, runs=runs: runs * timed(gpu, work, runs=runs))
        for runs in (5, 10, 20, 50, 100)
    ],
    *[("divided too often", lambda gpu, work, runs=runs: timed(gpu, work) / runs) for runs in RUNS],
    ("subtracted", lambda gpu, work: timed(gpu, work, warm=0) - gpu.compile_cost),
]

_warm_benchmark = Benchmark(
    SAYS,
    [{"bandwidth": 2.6e12, "compile_cost": 0.41}, {"bandwidth": 3.3e12, "compile_cost": 0.52}],
    [Work("large", 640 << 20), Work("other", 900 << 20)],
    share=0.05,
    mistakes=_WARM_MISTAKES,
)

# With so cheap a launch, waiting after each of the ten will do as well.
_waiting_benchmark = Benchmark(
    SAYS,
    [{"bandwidth": 2.6e12, "launch_cost": 1e-7}, {"bandwidth": 3.3e12, "launch_cost": 2e-7, "compile_cost": 0.52}],
    [WORKS["large"], Work("other", 96 << 20)],
    share=0.04,
    mistakes=_WARM_MISTAKES,
)


def _flushed_once(gpu, work, runs):
    gpu.launch(work)
    gpu.flush()
    begin = gpu.event()
    for _ in range(runs):
        gpu.launch(work)
    end = gpu.event()
    gpu.synchronize()
    return (end.at - begin.at) / runs


_cold_benchmark = Benchmark(
    SAYS,
    [
        {"bandwidth": 2.6e12, "cache": 64e6, "cache_speed": 2.2},
        {"bandwidth": 1.9e12, "cache": 90e6, "cache_speed": 4.5},
    ],
    [WORKS["small"], Work("other", 12 << 20)],
    share=0.03,
    mistakes=[
        *ANYBODY,
        ("hot", partial(between_events, flush="nowhere")),
        ("hot times three", lambda gpu, work: gpu.cache_speed * between_events(gpu, work, flush="nowhere")),
        ("flush timed", partial(between_events, flush="inside")),
        ("flush timed", partial(between_events, flush="after")),
        ("queue ran dry", partial(between_events, settle=True)),
        ("queue ran dry", partial(between_events, flush="nowhere", settle=True)),
        ("compiled", partial(between_events, warm=False)),
        ("compiled", partial(between_events, warm=False, flush="nowhere")),
        *[("flushed once", partial(_flushed_once, runs=runs)) for runs in RUNS],
        *[("divided too often", lambda gpu, work, runs=runs: between_events(gpu, work) / runs) for runs in RUNS],
    ],
    tick=4e-6,
)

# ---- a time that represents many

_DURATIONS = [1.0e-5, 1.02e-5, 0.99e-5, 9.0e-5, 1.01e-5, 1.0e-5, 0.98e-5, 1.03e-5, 1.0e-5, 8.8e-5]
_SAMPLES = [_DURATIONS, _DURATIONS[:7], [3.0, 1.0, 2.0], [4.0, 1.0, 2.0, 3.0], [5.0]]
_TYPICAL = [
    ("mean", mean),
    ("luckiest", min),
    ("unluckiest", max),
    ("unsorted", lambda samples: samples[len(samples) // 2]),
]


def _typical_seconds(answer):
    """Of an even number either of the two in the middle will do, or anything between them."""
    got = [number(answer, list(samples)) for samples in _SAMPLES]
    between = [(sorted(s)[(len(s) - 1) // 2], sorted(s)[len(s) // 2]) for s in _SAMPLES]
    if all(low * (1 - 1e-6) <= g <= high * (1 + 1e-6) for g, (low, high) in zip(got, between)):
        return
    named = {key for key, formula in _TYPICAL if all(near(g, formula(s)) for g, s in zip(got, _SAMPLES))}
    if len(named) == 1:
        raise SAYS.wrong(named.pop())
    g, w = next((g, median(s)) for g, s, (low, high) in zip(got, _SAMPLES, between) if not low <= g <= high)
    raise SAYS.wrong("differs", truth=f"{w * 1e6:.4g}", got=f"{g * 1e6:.4g}")


_fair_gigabytes = Formula(
    SAYS,
    lambda m, n, size, seconds: 2 * m * n * size / seconds / 1e9,
    [(4096, 4096, 4, 4e-5), (4096, 781, 2, 1e-5), (8, 1 << 20, 4, 3e-5), (1, 3, 2, 0.7)],
    [
        ("half", lambda m, n, size, s: m * n * size / s / 1e9),
        ("naive bytes", lambda m, n, size, s: 8 * m * n * size / s / 1e9),
        ("binary", lambda m, n, size, s: 2 * m * n * size / s / 2**30),
        ("elements", lambda m, n, size, s: 2 * m * n / s / 1e9),
        ("bytes", lambda m, n, size, s: 2 * m * n * size / s),
        ("floored", lambda m, n, size, s: 2 * m * n * size // s / 1e9),
        ("floored", lambda m, n, size, s: floor(2 * m * n * size / s / 1e9)),
        ("always four", lambda m, n, size, s: 8 * m * n / s / 1e9),
    ],
)

EXERCISES = {
    name: Exercise(name, grader, SAYS[name])
    for name, grader in {
        "warm_benchmark": _warm_benchmark,
        "waiting_benchmark": _waiting_benchmark,
        "cold_benchmark": _cold_benchmark,
        "typical_seconds": _typical_seconds,
        "fair_gigabytes": _fair_gigabytes,
    }.items()
}
