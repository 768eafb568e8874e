"""Measuring, and the recorder's files: what can be checked on any machine; on a GPU the recorder runs for real."""

import contextlib
import itertools
import os
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest
import torch

from course_tools.recording import counters
from course_tools.recording.counters import Case
from course_tools.recording.providers import everyone, providers
from course_tools.recording.times import (
    DTYPES,
    FEW_ROWS,
    IN_EVERY_STATE,
    ODD,
    POWERS,
    STATE_WIDTHS,
    SWEEP,
    Shape,
    shapes,
)
from course_utils import backend, hardware, timing
from course_utils.timing import recorded, stopwatch
from course_utils.timing.stopwatch import FLUSH, Timing, accelerator, inputs_for


def test_quantiles():
    found = Timing.of([5, 1, 3, 2, 4, 100, 6, 7, 8, 9, 10])
    assert (found.median, found.low, found.high, found.runs) == (6, 3, 9, 11)
    assert Timing.of([2.0]) == Timing(2.0, 2.0, 2.0, 1)


def test_a_sleep_takes_as_long_as_it_sleeps():
    found = timing.measure(lambda x: time.sleep(0.003), [torch.zeros(1)], seconds=0.05)
    assert 0.003 <= found.low <= found.median <= found.high
    assert found.median < 0.05
    assert found.runs >= 10


def test_what_depends_on_the_number_of_launches_is_averaged_out(monkeypatch):
    """A device that takes 7 ms, and 6 more where an odd number of launches came before; launches, and every run, take turns."""
    launches, clock = [], [0.0]

    def launch(milliseconds):
        clock[0] += milliseconds + 6 * (len(launches) % 2)
        launches.append(milliseconds)

    class Event:
        def __init__(self, enable_timing):
            assert enable_timing

        def record(self):
            self.at = clock[0]

        def elapsed_time(self, end):
            return end.at - self.at

    monkeypatch.setattr(
        stopwatch, "accelerator", lambda device: SimpleNamespace(Event=Event, synchronize=lambda _: None)
    )
    monkeypatch.setattr(stopwatch, "_flushes", {torch.device("cpu"): SimpleNamespace(zero_=lambda: launch(100))})
    for seconds in (0.0, 0.4, 0.5):
        found = timing.measure(lambda x: launch(7), [torch.zeros(1)], seconds, "dirty")
        assert found.median == pytest.approx(0.010) and found.apart == pytest.approx(0.006) and found.runs >= 10


def test_every_kind_of_device_has_its_own_events():
    assert accelerator("cpu") is None and accelerator(torch.device("cuda", 0)) is torch.cuda


def test_host_time_is_a_call_s():
    found = timing.host_times({"sleep": lambda x: time.sleep(0.001)}, torch.zeros(1), calls=3, rounds=3)
    assert 0.001 <= found["sleep"].median < 0.05 and found["sleep"].runs == 3


def test_a_cpu_that_slows_down_halfway_slows_everybody(monkeypatch):
    """In a recording one after another, the last ones looked half as fast as they are."""
    clock = SimpleNamespace(now=0.0)

    def work(seconds):
        clock.now += seconds * (2 if clock.now > 10 else 1)

    monkeypatch.setattr(stopwatch, "time", SimpleNamespace(perf_counter=lambda: clock.now))
    functions = {"first": lambda x: work(0.1), "second": lambda x: work(0.3)}
    found = timing.host_times(functions, torch.zeros(1), calls=2, rounds=20)
    assert clock.now > 20 and found["second"].median == pytest.approx(3 * found["first"].median)


class PretendDevice:
    """Runs one thing after another, with the half microsecond that an H200 adds to every other launch."""

    def __init__(self, cache=8):
        self.now = self.free = 0.0  # the CPU's clock; when the device will have done all it was given
        self.launches, self.cache, self.capturing = 0, cache, None
        self.cached = {}  # what lies in the cache, the oldest first, and whether it has still to be written to memory

    def launch(self, on_cpu, on_device, reads=(), writes=()):
        self.now += on_cpu
        if self.capturing is not None:
            self.capturing.append((on_device, reads, writes))
            return
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

    def synchronize(self, device=None):
        self.now = max(self.now, self.free)

    def tensor(self, number):
        """An input: written anew by `mul_`."""
        name = f"x{number}"
        return SimpleNamespace(device="gpu", name=name, mul_=lambda _: self.launch(5e-6, 5e-6, [name], [name]))

    def flush(self):
        names = [f"flush {i}" for i in range(self.cache)]
        return SimpleNamespace(
            zero_=lambda: self.launch(5e-6, 6e-5, (), names), sum=lambda: self.launch(5e-6, 6e-5, names)
        )


class WithGraphs(PretendDevice):
    def Stream(self):
        return None

    def stream(self, stream):
        return contextlib.nullcontext()

    def CUDAGraph(self):
        graph, of = SimpleNamespace(), self

        def begin():
            of.capturing = graph.launches = []

        def end():
            of.capturing = None

        def replay():
            of.now += 5e-6
            for each in graph.launches:
                of.run(*each)

        graph.capture_begin, graph.capture_end, graph.replay = begin, end, replay
        return graph


@pytest.fixture
def on_pretend_device(monkeypatch):

    def use(device):
        monkeypatch.setattr(stopwatch, "accelerator", lambda _: device)
        monkeypatch.setattr(stopwatch, "time", SimpleNamespace(perf_counter=lambda: device.now))
        monkeypatch.setattr(stopwatch, "_flushes", {"gpu": device.flush()})
        return device

    return use


@pytest.mark.parametrize("on_cpu", [5e-6, 4e-5, 1.5e-4])
def test_no_run_waits_for_the_cpu_and_both_halves_are_averaged(on_cpu, on_pretend_device):
    """A launch of 150 microseconds of Python, and a kernel of 7."""
    device = on_pretend_device(PretendDevice())
    found = timing.measure(lambda x: device.launch(on_cpu, 7e-6), [device.tensor(0)] * 2, state="dirty")
    assert found.median == found.high == pytest.approx(7.25e-6) and found.apart == pytest.approx(0.5e-6)


@pytest.mark.parametrize(
    "state, microseconds",
    [
        ("clean", 7.25 + 3),  # reads three from memory, and leaves three in the cache
        ("dirty", 7.25 + 3 + 6),  # and pushes out six that somebody else wrote
        ("hot", 7.25 + 0),  # finds its input where it was written
        ("sustained", 7.25 + 3 + 3),  # reads three, and pushes out three that the launches before it wrote
    ],
)
@pytest.mark.parametrize("kind", [PretendDevice, WithGraphs])
def test_what_a_launch_pays_for_in_each_state(state, microseconds, kind, on_pretend_device):
    device = on_pretend_device(kind())
    written = itertools.count()

    def function(x):
        device.launch(2e-6, 7e-6, [f"{x.name} {i}" for i in range(3)], [f"y{next(written)}" for _ in range(3)])

    def tensor(number):
        x = device.tensor(number)
        names = [f"{x.name} {i}" for i in range(3)]
        x.mul_ = lambda _: device.launch(5e-6, 5e-6, names, names)
        return x

    found = timing.measure(function, [tensor(i) for i in range(20)], state=state)
    assert found.median == pytest.approx(microseconds * 1e-6, rel=0.03)


def test_what_cannot_be_captured_is_launched_one_by_one(on_pretend_device):
    device = on_pretend_device(WithGraphs())

    def function(x):
        if device.capturing is not None:
            raise RuntimeError("operation not permitted when stream is capturing")
        device.launch(2e-6, 7e-6)

    found = timing.measure(function, [device.tensor(i) for i in range(20)])
    assert found.median == pytest.approx(7.25e-6, rel=0.01)


def test_a_state_that_does_not_exist_is_refused():
    with pytest.raises(ValueError, match="sustained, clean, dirty, hot, not 'cold'"):
        timing.measure(abs, [torch.zeros(1)], state="cold")


def test_every_input_takes_its_turn_and_together_they_outgrow_the_cache():
    seen = []
    timing.measure(lambda x: seen.append(x.data_ptr()), [torch.zeros(4), torch.zeros(4)], seconds=0.0)
    assert len(set(seen)) == 2 and abs(seen.count(seen[0]) - len(seen) / 2) <= 2
    assert max(entry.cache for entry in (*hardware.DEVICES, *hardware.NPUS)) < FLUSH
    inputs = inputs_for(8, 16, torch.bfloat16, "cpu")
    assert all(x.shape == (8, 16) and x.dtype == torch.bfloat16 for x in inputs)
    assert not torch.equal(inputs[0], inputs[1])


def test_gigabytes_per_second_counts_one_reading_and_one_writing():
    assert timing.gigabytes_per_second(torch.zeros(1000, 1000), 1e-3) == pytest.approx(8)
    assert timing.gigabytes_per_second(torch.zeros(1000, 1000, dtype=torch.float16), 1e-3) == pytest.approx(4)


def test_the_sweep_asks_for_nothing_twice_and_the_quick_one_for_little():
    wanted = shapes()
    assert [128 * i for i in range(2, 100)] == SWEEP
    for dtype in DTYPES:
        widths = {shape.columns for shape in wanted if (shape.dtype, shape.rows) == (dtype, 4096)}
        assert widths == {*SWEEP, *ODD, *POWERS}
        assert {(s.rows, s.columns) for s in wanted if s.dtype == dtype and s.rows != 4096} == set(FEW_ROWS)
        slow = [shape.columns for shape in wanted if (shape.dtype, shape.rows) == (dtype, 4096) and shape.slow_too]
        assert len(slow) >= len(widths) / 4 and {*ODD, *POWERS, *STATE_WIDTHS} <= set(slow)
    assert len(wanted) == len(set(wanted))
    assert 0 < len(shapes(quick=True)) < len(wanted) / 8


def test_what_can_least_be_spared_comes_first():
    wanted = shapes()
    for dtype in DTYPES:
        first = [shape.columns for shape in wanted if (shape.dtype, shape.rows) == (dtype, 4096)][: len(STATE_WIDTHS)]
        assert first == STATE_WIDTHS
    narrow = Shape("float32", 4096, 384, True)
    everyone_asked = {p.name for p in everyone() if narrow.asks(p, "sustained")}
    assert everyone_asked == {p.name for p in everyone() if not p.tunes}
    assert not any(narrow.asks(provider, "hot") for provider in everyone())
    asked = {provider.name for provider in everyone() if Shape("float32", 4096, 512, True).asks(provider, "hot")}
    assert asked == IN_EVERY_STATE - {p.name for p in everyone() if p.tunes}
    assert {p.name for p in everyone() if Shape("float32", 4096, 4096, True).asks(p, "hot")} == IN_EVERY_STATE


def test_providers_that_are_absent_are_left_out(monkeypatch):
    names = [provider.name for provider in providers()]
    assert {"copy", "naive", "torch", "compile", "row", "grid stride", "softmax", "softmax again"} <= set(names)
    assert len(names) == len(set(names))
    monkeypatch.setattr("course_tools.recording.providers.version", lambda package: "1" if package == "torch" else None)
    assert [provider.package for provider in providers()] == ["torch"] * len(providers())


@pytest.mark.parametrize("name", ["naive", "torch", "row", "softmax"])
def test_what_providers_compute(name):
    x = torch.randn(4, 50, device=backend.device)
    function = next(provider for provider in providers() if provider.name == name).prepare(x)
    torch.testing.assert_close(function(x), torch.softmax(x, -1))


def test_written_and_read_again(tmp_path, monkeypatch):
    lines = [
        {"dtype": "bfloat16", "rows": 4096, "columns": n, "provider": who, "median_us": "8.00", "low_us": "7.00", "high_us": "9.00"}
        for n in (256, 512)
        for who in ("copy", "softmax")
    ]  # fmt: skip
    recorded.write("times-hot", "toy", {"device": "Toy, 1", "command": "a: b"}, lines, tmp_path)
    monkeypatch.setattr(recorded, "FOLDER", tmp_path)
    recorded.read.cache_clear()
    found = timing.times("hot", "toy")
    assert found.provenance == {"device": "Toy, 1", "command": "a: b"}
    for other in ("a100", "h200"):
        recorded.write("times-hot", other, {"device": other}, lines, tmp_path)
    assert timing.devices("hot") == ["h200", "a100", "toy"], "what the text speaks of comes first"
    assert set(found.curves("bfloat16")) == {"copy", "softmax"} and found.curves("float32") == {}
    assert found.curves("bfloat16")["softmax"][512] == pytest.approx(2 * 4096 * 512 * 2 / 8e-6 / 1e9)
    assert found.one("copy", 256, "bfloat16").low == 7
    with pytest.raises(LookupError, match="naive, bfloat16, 4096×256"):
        found.one("naive", 256, "bfloat16")
    recorded.read.cache_clear()


def test_reading_what_ncu_prints():
    """Each case is announced by `next_case`, in as many programs as its number; the second gave no kernel."""
    cases = [Case("row", "float32", 8, 8), Case("liger", "float32", 8, 8), Case("naive", "bfloat16", 8, 8)]
    launches = [("next_case", 1, 0), ("row_kernel", 64, "268,466,944"), ("next_case", 2, 0), ("next_case", 3, 0),
                ("max", 7, "12"), ("sub", 9, "13.0")]  # fmt: skip
    text = '==PROF== Connected to process 1\n"ID","Kernel Name","Metric Name","Metric Unit","Metric Value"\n'
    for number, (kernel, programs, read) in enumerate(launches):
        text += f'"{number}","{kernel}","launch__grid_size","","{programs}"\n'
        text += f'"{number}","{kernel}","dram__bytes_read.sum","byte","{read}"\n'
    found = counters.parse(cases, {"programs": "launch__grid_size", "read": "dram__bytes_read.sum"}, text)
    assert [(line["provider"], line["dtype"], line["kernel"], line["programs"], line["read"]) for line in found] == [
        ("row", "float32", "row_kernel", 64, 268466944),
        ("naive", "bfloat16", "max", 7, 12),
        ("naive", "bfloat16", "sub", 9, 13),
    ]
    assert counters.parse(cases, {}, "==ERROR== no counters here") == []


@pytest.mark.skipif(backend.mode != "interpreter", reason="where there is a GPU or an NPU it records")
@pytest.mark.parametrize("asked", ["interpreter", "npu"])
def test_without_a_gpu_the_recorder_says_so(asked):
    command = [sys.executable, "-m", "course_tools.recording", "times"]
    environment = {**os.environ, "COURSE_BACKEND": asked}
    run = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment)
    assert run.returncode != 0 and "录制需要 GPU 或 NPU" in run.stderr and "Recording takes a GPU or" in run.stderr


@pytest.mark.skipif(backend.mode != "cuda", reason="needs an NVIDIA GPU")
def test_a_cold_cache_is_slower_than_a_warm_one():
    x = torch.randn(2048, 2048, device="cuda")
    cold = timing.measure(torch.clone, [x], state="dirty")
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    torch.cuda.synchronize()
    start.record()
    for _ in range(200):
        torch.clone(x)
    end.record()
    torch.cuda.synchronize()
    assert cold.median > start.elapsed_time(end) / 200 / 1e3
