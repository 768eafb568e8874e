"""Experiments: found by their name, measured case by case, written so that nothing is lost, read again with their types."""

import os
import subprocess
import sys
from dataclasses import dataclass, fields, is_dataclass
from types import SimpleNamespace

import pytest

from course_utils import backend, measurements
from course_utils.measurements.bench import recorder, recording
from course_utils.measurements.bench.experiment import Note

TOLD = {"device": "NVIDIA Toy 1", "date": "2026-11-26", "command": "toy"}


@dataclass(frozen=True)
class Line:
    size: int
    who: str
    median_us: float = 1.5


@pytest.fixture
def toy(monkeypatch, tmp_path):
    """An experiment of four cases, recorded into an empty folder."""

    def measure(size):
        yield Line(size, "a")
        if size in toy.broken:
            raise RuntimeError("no\nway")
        yield Note("refused, b", f"{size}x1")

    toy = SimpleNamespace(broken=set(), Line=Line, CASES=[{"size": n} for n in range(4)], measure=measure)
    toy.path = tmp_path / "toy-1-toy.csv"
    monkeypatch.setitem(sys.modules, "course_utils.measurements.toy", toy)
    monkeypatch.setattr(recorder, "provenance", lambda command: dict(TOLD))
    monkeypatch.setattr(recorder, "accelerator", lambda device: SimpleNamespace(synchronize=lambda: None))
    return toy


def record(toy, **how):
    recorder.record("toy", "toy", toy.path.parent, **how)
    found = recording.load(toy.path)
    return found.provenance, [line.size for line in found.typed(Line)]


def test_a_recording_is_whole_and_says_where_it_is_from(toy):
    told, sizes = record(toy)
    assert sizes == [0, 1, 2, 3] and told == TOLD | {"refused, b": "0x1 1x1 2x1 3x1"}


def test_when_the_time_is_up_it_says_so(toy):
    told, sizes = record(toy, limit=0)
    assert sizes == [0] and told["incomplete"] == "stopped after 1 of 4 cases"


def test_a_case_that_fails_is_told_and_adds_nothing(toy):
    toy.broken = {1}
    told, sizes = record(toy)
    assert sizes == [0, 2, 3] and told["refused, size 1"] == "RuntimeError: no" and "incomplete" not in told


@pytest.mark.parametrize("name", measurements.experiments())
def test_every_experiment_has_columns_and_asks_for_some_of_them(name):
    module = measurements.experiment(name)
    if not hasattr(module, "measure"):
        return  # recorded once, and only read
    columns, cases = {field.name for field in fields(module.Line)}, module.CASES
    assert is_dataclass(module.Line) and cases and all(set(case) <= columns for case in cases)
    assert len({tuple(case.items()) for case in cases}) == len(cases)


def test_a_cell_shows_the_recording_of_its_call_and_on_a_gpu_what_it_takes_there(monkeypatch):
    def copy(x, together):
        calls.append((*x.shape, together))
        return x

    calls = []
    asked = {"columns": (256, 1024), "dtype": "float32", "together": 1, "warps": 4}
    found = measurements.measure("tiles", copy, rows=4096, copy=True, **asked)
    line, ruler = (
        measurements.recorded("tiles", rows=4096, columns=256, dtype="float32", **sizes)[0].median_us
        for sizes in ({"together": 1, "warps": 4}, {"together": 0})
    )
    assert found[256] == line and found.share(256) == ruler / line and not calls
    assert repr(found).splitlines()[1].split() == ["256", f"{line:.3g}", f"{ruler / line:.2f}"]
    with pytest.raises(LookupError, match="together, warps"):
        measurements.measure("tiles", rows=4096, columns=256, dtype="float32")
    with pytest.raises(LookupError, match="columns=257"):
        measurements.measure("tiles", rows=4096, **asked | {"columns": 257})
    monkeypatch.setenv("COURSE_MEASURE", "")
    monkeypatch.setattr(backend, "mode", "cuda")
    asked |= {"columns": (100,), "dtype": "bfloat16", "warps": 1}
    assert measurements.measure("tiles", copy, rows=100000, **asked).live[100] > 0
    assert set(calls) == {(100000, 100, 1)}, "its inputs are those of the recording"


# ---- the command


@pytest.mark.skipif(backend.mode != "interpreter", reason="where there is a GPU or an NPU it records")
def test_without_a_gpu_the_recorder_says_so():
    arguments = [sys.executable, "-m", "course_tools.record", "times"]
    run = subprocess.run(arguments, capture_output=True, text=True, env=os.environ | {"COURSE_BACKEND": "interpreter"})
    assert run.returncode != 0 and "录制需要 GPU 或 NPU" in run.stderr and "Recording takes a GPU or" in run.stderr
