"""The stopwatch: what can be checked on any machine, on a pretended device, and a little on a real one."""

import contextlib
import itertools
import time
from types import SimpleNamespace

import pytest
import torch

from course_utils.measurements.bench import stopwatch
from course_utils.measurements.bench.stopwatch import compare, host_times, timed


def test_a_sleep_takes_as_long_as_it_sleeps():
    found = timed(lambda x: time.sleep(0.003), [torch.zeros(1)], seconds=0.05)
    assert 0.003 <= found.low <= found.median <= found.high
    assert found.median < 0.05


def test_a_cpu_that_slows_down_halfway_slows_everybody(monkeypatch):
    """In a recording one after another, the last ones looked half as fast as they are."""
    clock = SimpleNamespace(now=0.0)

    def work(seconds):
        clock.now += seconds * (2 if clock.now > 10 else 1)

    monkeypatch.setattr(stopwatch, "time", SimpleNamespace(perf_counter=lambda: clock.now))
    functions = {"first": lambda x: work(0.1), "second": lambda x: work(0.3)}
    found = host_times(functions, torch.zeros(1), calls=2, rounds=20)
    assert clock.now > 20 and found["second"].median == pytest.approx(3 * found["first"].median)


class PretendDevice:
    """Runs one thing after another, with the half microsecond that an H200 adds to every other launch; with graphs or without."""

    def __init__(self, graphs=False, cache=8):
        self.now = self.free = 0.0  # the CPU's clock; when the device will have done all it was given
        self.launches, self.cache, self.capturing = 0, cache, None
        self.cached = {}  # what lies in the cache, the oldest first, and whether it has still to be written to memory
        if graphs:
            self.Stream, self.graph_pool_handle, self.CUDAGraph = lambda: None, lambda: "a pool", self._graph
            self.stream = lambda stream: contextlib.nullcontext()

    def launch(self, on_cpu, on_device, reads=(), writes=()):
        self.now += on_cpu
        if self.capturing is not None:
            self.capturing.append((on_device, reads, writes))
        else:
            self.run(on_device, reads, writes)

    def run(self, on_device, reads, writes):
        """A microsecond for everything that comes from memory or has to go back there."""
        self.launches += 1
        moved = sum(name not in self.cached for name in reads)
        for name in reads:
            self.cached[name] = self.cached.pop(name, False)
        for name in writes:
            self.cached.pop(name, None)
            self.cached[name] = True
        while len(self.cached) > self.cache:
            moved += self.cached.pop(next(iter(self.cached)))
        self.free = max(self.free, self.now) + on_device + moved * 1e-6 + 0.5e-6 * (self.launches % 2)

    def Event(self, enable_timing):
        event = SimpleNamespace(record=lambda: setattr(event, "at", max(self.free, self.now)))
        event.elapsed_time = lambda end: (end.at - event.at) * 1e3
        return event

    def empty_cache(self):
        pass

    def synchronize(self, device=None):
        self.now = max(self.now, self.free)

    def _graph(self):
        launches = []

        def replay():
            self.now += 5e-6
            for each in launches:
                self.run(*each)

        return SimpleNamespace(
            capture_begin=lambda pool=None: setattr(self, "capturing", launches),
            capture_end=lambda: setattr(self, "capturing", None),
            replay=replay,
        )

    def tensor(self, number):
        """An input of three parts: written anew by `mul_`."""
        names = [f"x{number} {i}" for i in range(3)]
        return SimpleNamespace(device="gpu", names=names, mul_=lambda _: self.launch(5e-6, 5e-6, names, names))

    def flush(self):
        names = [f"flush {i}" for i in range(self.cache)]
        return SimpleNamespace(
            zero_=lambda: self.launch(5e-6, 6e-5, (), names), sum=lambda: self.launch(5e-6, 6e-5, names)
        )


@pytest.fixture
def on_pretend_device(monkeypatch):

    def use(device):
        monkeypatch.setattr(stopwatch, "accelerator", lambda _: device)
        monkeypatch.setattr(stopwatch, "time", SimpleNamespace(perf_counter=lambda: device.now))
        monkeypatch.setattr(stopwatch, "_flushes", {"gpu": device.flush()})
        return device

    return use


@pytest.mark.parametrize("on_cpu", [5e-6, 1.5e-4])
def test_no_run_waits_for_the_cpu_and_both_halves_are_averaged(on_cpu, on_pretend_device):
    """A launch of 150 microseconds of Python, and a kernel of 7."""
    device = on_pretend_device(PretendDevice())
    found = timed(lambda x: device.launch(on_cpu, 7e-6), [device.tensor(0)] * 2, state="dirty")
    assert found.median == found.high == pytest.approx(7.25e-6)


@pytest.mark.parametrize(
    "state, microseconds",
    [
        ("clean", 7.25 + 3),  # reads three from memory, and leaves three in the cache
        ("dirty", 7.25 + 3 + 6),  # and pushes out six that somebody else wrote
        ("hot", 7.25 + 0),  # finds its input where it was written
        ("sustained", 7.25 + 3 + 3),  # reads three, and pushes out three that the launches before it wrote
    ],
)
@pytest.mark.parametrize("graphs", [False, True])
def test_what_a_launch_pays_for_in_each_state(state, microseconds, graphs, on_pretend_device):
    device = on_pretend_device(PretendDevice(graphs))
    written = itertools.count()

    def function(x):
        device.launch(2e-6, 7e-6, x.names, [f"y{next(written)}" for _ in range(3)])

    found = timed(function, [device.tensor(i) for i in range(20)], state=state)
    assert found.median == pytest.approx(microseconds * 1e-6, rel=0.03)


# ---- held against each other


def test_everybody_takes_turns_on_the_same_inputs_and_each_round_has_its_own():
    seen, given = {"a": [], "b": []}, []

    def make_inputs():
        given.append([torch.zeros(2), torch.zeros(2)])
        return given[-1]

    functions = {name: lambda x, name=name: seen[name].append(x.data_ptr()) for name in seen}
    found = compare(functions, make_inputs, rounds=3, seconds=0.0)
    assert set(found) == {("a", "sustained"), ("b", "sustained")} and len(given) == 3
    assert set(seen["a"]) == set(seen["b"]) == {x.data_ptr() for inputs in given for x in inputs}
    assert all(each.low <= each.median <= each.high for each in found.values())


@pytest.mark.parametrize("state", ["sustained", "hot"])
def test_who_fails_is_told_and_the_others_are_measured(state):
    functions = {"right": lambda x: x + 1, "fails": lambda x: 1 / 0}
    refused = {}
    found = compare(functions, lambda: [torch.zeros(1)], (state,), refused=refused, seconds=0.0)
    assert list(found) == [("right", state)]
    assert {name: type(error) for (name, _), error in refused.items()} == {"fails": ZeroDivisionError}
    with pytest.raises(ZeroDivisionError):
        compare(functions, lambda: [torch.zeros(1)], (state,))
