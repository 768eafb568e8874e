"""The exercises of 06_benchmark: benchmarks with a flaw, on GPUs whose true times are known (questions: `nb06_questions`)."""

from functools import partial

from ..pretend_gpu import Work
from .benchmarks import WORKS, Benchmark, between_events, by_the_figures, in_turn, on_another, timed
from .exercise import Exercise
from .nb06_questions import QUESTIONS
from .nb06_says import SAYS

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
    *[("miscounted", lambda gpu, work, by=by: timed(gpu, work, runs=10) * by) for by in (9 / 10, 10 / 11)],
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


def _stopwatch_and_flush(gpu, work):
    gpu.launch(work)
    gpu.synchronize()
    start = gpu.now()
    gpu.flush()
    gpu.launch(work)
    gpu.synchronize()
    return gpu.now() - start


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
        ("not flushed", partial(between_events, flush="nowhere", settle=True)),
        ("stopwatch", _stopwatch_and_flush),
        ("compiled", partial(between_events, warm=False)),
        ("compiled", partial(between_events, warm=False, flush="nowhere")),
        *[("flushed once", partial(_flushed_once, runs=runs)) for runs in RUNS],
        *[("divided too often", lambda gpu, work, runs=runs: between_events(gpu, work) / runs) for runs in RUNS],
    ],
    tick=4e-6,
)

# ---- everybody pays his own

_SUSTAINED_RUNS = (2, 3, 5, 8, 10)


def _from_the_first(gpu, work, runs):
    """With the compilation behind it, but on a cache that nobody has filled."""
    gpu.launch(work)
    gpu.synchronize()
    return in_turn(gpu, work, warm=0, runs=runs)


_sustained_benchmark = Benchmark(
    SAYS,
    [
        {"bandwidth": 2.6e12, "cache": 64e6, "cache_speed": 2.2, "launch_cost": 1e-6},
        {"bandwidth": 1.9e12, "cache": 90e6, "cache_speed": 4.5, "launch_cost": 1e-6},
    ],
    [WORKS["small"], Work("other", 12 << 20)],
    share=0.04,
    mistakes=[
        *ANYBODY,
        ("same buffers", partial(in_turn, inputs=False, outputs=False)),
        ("same buffers", partial(between_events, flush="nowhere", runs=10)),
        ("same buffers", partial(between_events, flush="nowhere")),
        *[("few buffers", partial(in_turn, among=among)) for among in (2, 3, 4)],
        ("launch alone", partial(timed, wait=False)),
        *[("flushed", partial(in_turn, flush="once", runs=runs)) for runs in _SUSTAINED_RUNS],
        ("flush timed", partial(in_turn, flush="each")),
        ("half paid", partial(in_turn, outputs=False)),
        ("half paid", partial(in_turn, inputs=False)),
        ("half paid", partial(_from_the_first, runs=1)),
        *[("too few", partial(_from_the_first, runs=runs)) for runs in _SUSTAINED_RUNS],
        *[("too few", partial(in_turn, warm=1, runs=runs, settle=settle)) for runs in _SUSTAINED_RUNS for settle in (False, True)],
        *[("not divided", lambda gpu, work, runs=runs: runs * in_turn(gpu, work, runs=runs)) for runs in (2, 3, 5, 10, 20, 50, 60, 100, 200)],
        *[("spread", partial(in_turn, warm=0, runs=runs)) for runs in (*RUNS, 60, 200)],
        *[("divided too often", lambda gpu, work, runs=runs: in_turn(gpu, work, runs=1) / runs) for runs in RUNS[1:]],
    ],
)  # fmt: skip

EXERCISES = {
    name: Exercise(name, grader, SAYS[name])
    for name, grader in {
        "waiting_benchmark": _waiting_benchmark,
    }.items()
}
