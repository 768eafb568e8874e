"""Measuring, and the recorder's files: what can be checked on any machine; on a GPU the recorder runs for real."""

import os
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest
import torch

from course_tools.recording import counters
from course_tools.recording.counters import Case
from course_tools.recording.providers import providers
from course_tools.recording.times import shapes
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
    monkeypatch.setattr(stopwatch, "_flush", {torch.device("cpu"): SimpleNamespace(zero_=lambda: launch(100))})
    for seconds in (0.0, 0.4, 0.5):
        found = timing.measure(lambda x: launch(7), [torch.zeros(1)], seconds)
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

    def __init__(self):
        self.now = self.free = 0.0  # the CPU's clock; when the device will have done all it was given
        self.launches = 0

    def launch(self, on_cpu, on_device):
        self.now += on_cpu
        self.launches += 1
        self.free = max(self.free, self.now) + on_device + 0.5e-6 * (self.launches % 2)

    def Event(self, enable_timing):
        event = SimpleNamespace(record=lambda: setattr(event, "at", max(self.free, self.now)))
        event.elapsed_time = lambda end: (end.at - event.at) * 1e3
        return event

    def synchronize(self, device=None):
        self.now = max(self.now, self.free)


@pytest.mark.parametrize("on_cpu", [5e-6, 4e-5, 1.5e-4])
def test_no_run_waits_for_the_cpu_and_both_halves_are_averaged(on_cpu, monkeypatch):
    """A launch of 150 microseconds of Python, and a kernel of 7."""
    device = PretendDevice()
    monkeypatch.setattr(stopwatch, "accelerator", lambda _: device)
    monkeypatch.setattr(stopwatch, "time", SimpleNamespace(perf_counter=lambda: device.now))
    flush = SimpleNamespace(zero_=lambda: device.launch(5e-6, 6e-5))
    monkeypatch.setattr(stopwatch, "_flush", {"gpu": flush})
    inputs = [SimpleNamespace(device="gpu")] * 2
    found = stopwatch.measure(lambda x: device.launch(on_cpu, 7e-6), inputs)
    assert found.median == found.high == pytest.approx(7.25e-6) and found.apart == pytest.approx(0.5e-6)


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
    assert len(wanted) == len(set(wanted)) and 0 < len(shapes(quick=True)) < len(wanted) / 8
    slow = sum(slow_too for *_, slow_too in wanted)
    assert len(wanted) / 4 <= slow < len(wanted) / 2, "what compiles slowly is measured at some widths of each type"


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
    recorded.write("times", "toy", {"device": "Toy, 1", "command": "a: b"}, lines, tmp_path)
    monkeypatch.setattr(recorded, "FOLDER", tmp_path)
    recorded.read.cache_clear()
    found = timing.read("times", "toy")
    assert found.provenance == {"device": "Toy, 1", "command": "a: b"}
    for other in ("a100", "h200"):
        recorded.write("times", other, {"device": other}, lines, tmp_path)
    assert timing.devices() == ["h200", "a100", "toy"], "what the text speaks of comes first"
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
    cold = timing.measure(torch.clone, [x])
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    torch.cuda.synchronize()
    start.record()
    for _ in range(200):
        torch.clone(x)
    end.record()
    torch.cuda.synchronize()
    assert cold.median > start.elapsed_time(end) / 200 / 1e3
