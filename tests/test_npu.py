"""Ascend without an NPU: how it is recognised, how many programs it gets, and how rows are split to fit its buffer."""

import ast
import dataclasses
import functools
import time
from types import SimpleNamespace

import pytest
import torch
from course import NOTEBOOKS, ROOT, code_cells, read

from course_tools import support
from course_utils import backend, hardware, machine
from course_utils.hardware import driver as drivers
from course_utils.measurements import times
from course_utils.measurements.bench import peers, recorder, recording, stopwatch
from course_utils.softmax import finished, grid_stride, npu, softmax
from course_utils.softmax.blocked import blocked_kernel

B3 = hardware.find("Ascend 910B3")
# What triton-ascend's driver says of a 910B3: twice as many vector cores as AI cores, and nothing of registers or warps.
PROPERTIES = {"max_shared_mem": 1, "num_aicore": 20, "num_vectorcore": 40}


def test_torch_npu_is_recognised_and_is_no_dependency(monkeypatch):
    """torch_npu, where it is installed, is loaded by torch itself, and puts `torch.npu` there."""
    for name in ("COURSE_BACKEND", "TRITON_INTERPRET"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    for present, mode in ((True, "npu"), (False, "interpreter")):
        monkeypatch.setattr(torch, "npu", SimpleNamespace(is_available=lambda present=present: present), raising=False)
        assert backend.detect() == mode
    monkeypatch.delattr(torch, "npu")
    assert backend.detect() == "interpreter"
    assert "torch_npu" not in (ROOT / "pyproject.toml").read_text()
    for path in (ROOT / "course_utils").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            assert not (isinstance(node, ast.Import) and "torch_npu" in [alias.name for alias in node.names]), path


def test_the_cores_are_the_drivers_word():
    assert drivers.npu_described("Ascend910B3", PROPERTIES) is B3
    fewer = drivers.npu_described("Ascend910B3", PROPERTIES | {"num_aicore": 16, "num_vectorcore": 32})
    assert (fewer.vector_cores, fewer.buffer, fewer.source) == (32, B3.buffer, "driver")
    unknown = drivers.npu_described("Ascend910B4-1", PROPERTIES)
    assert (unknown.name, unknown.vector_cores, unknown.buffer, unknown.source) == (
        "Ascend910B4-1",
        40,
        B3.buffer,
        "driver",
    )


class Event:
    """As torch.npu.Event: milliseconds, and only where asked for. Here all work is done when a call returns."""

    def __init__(self, enable_timing=False):
        self.enable_timing = enable_timing

    def record(self):
        self.at = time.perf_counter()

    def elapsed_time(self, end):
        assert self.enable_timing and end.enable_timing
        return (end.at - self.at) * 1e3


@pytest.fixture
def pretended(monkeypatch):
    """A 910B3 as torch_npu and triton-ascend's driver describe it."""
    driver = SimpleNamespace(active=SimpleNamespace(utils=SimpleNamespace(get_device_properties=lambda _: PROPERTIES)))
    fake = SimpleNamespace(
        Event=Event,
        current_device=lambda: 0,
        get_device_name=lambda _: "Ascend910B3",
        synchronize=lambda device=None: None,
        empty_cache=lambda: None,
    )
    monkeypatch.setattr(torch, "npu", fake, raising=False)
    monkeypatch.setattr(torch.version, "cann", "8.3.RC1", raising=False)
    monkeypatch.setattr(backend.triton.runtime, "driver", driver)
    monkeypatch.setattr(backend, "mode", "npu")


def test_this_machine_speaks_of_an_npu(pretended):
    assert hardware.here() is B3
    text = repr(machine.this_machine())
    assert "Ascend 910B3" in text and "NPU" in machine.this_machine()._repr_html_()


class Recorder:
    """Stands for a kernel: notes the launches and runs them."""

    def __init__(self, kernel):
        self.kernel, self.launches = kernel, []

    def __getitem__(self, grid):
        def run(*arguments, **constants):
            self.launches.append((grid, constants))
            self.kernel[grid](*arguments, **constants)

        return run


@pytest.fixture
def launches(monkeypatch):
    whole, blocked = Recorder(grid_stride.grid_stride_kernel), Recorder(blocked_kernel)
    monkeypatch.setattr(npu, "grid_stride_kernel", whole)
    monkeypatch.setattr(npu, "blocked_kernel", blocked)
    return whole.launches, blocked.launches


@pytest.mark.parametrize("rows", [1, 7, 100])
def test_one_program_for_every_vector_core(launches, rows):
    x = torch.randn(rows, 100, device=backend.device)
    y = torch.empty_like(x)
    npu.on_npu(y, x, B3)
    ((grid, constants),), blocked = launches
    assert grid == (min(rows, 40),) and constants == {"BLOCK_SIZE": 128, "STAGES": 1} and not blocked
    torch.testing.assert_close(y, torch.softmax(x, 1))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16], ids=str)
@pytest.mark.parametrize("width", [512, 513, 1025, 5000])
def test_a_row_too_wide_for_the_buffer_is_split(launches, width, dtype):
    small = dataclasses.replace(B3, buffer=4 * npu.BUFFERS * 512)
    x = torch.randn(3, width, device=backend.device).to(dtype)
    x[1, : width // 2], x[2] = -float("inf"), -float("inf")
    y = torch.empty_like(x)
    npu.on_npu(y, x, small)
    whole, blocked = launches
    assert bool(blocked) == (width > 512) and not (whole and blocked)
    assert [constants["BLOCK_SIZE"] for _, constants in whole + blocked] == [512]
    # Triton's interpreter cuts float32 to bfloat16 where hardware rounds.
    tolerance = {
        torch.float32: {},
        torch.float16: {"rtol": 2e-3, "atol": 1e-6},
        torch.bfloat16: {"rtol": 2e-2, "atol": 1e-6},
    }
    torch.testing.assert_close(y, torch.softmax(x.float(), 1).to(dtype), equal_nan=True, **tolerance[dtype])


def test_the_finished_softmax_takes_this_way(launches, monkeypatch):
    monkeypatch.setattr(finished, "mode", "npu")
    monkeypatch.setattr(finished, "_known", {})
    monkeypatch.setattr(hardware, "here", lambda: B3)
    x = torch.randn(2, 60, 33, device=backend.device)
    torch.testing.assert_close(softmax(x), torch.softmax(x, -1))
    assert launches[0] == [((40,), {"BLOCK_SIZE": 64, "STAGES": 1})]


@pytest.fixture
def small(pretended, monkeypatch, tmp_path):
    """The pretended NPU's memory is the CPU's, and its kernels are interpreted; a small sweep."""
    for module in (finished, peers):
        monkeypatch.setattr(module, "mode", "npu")
    monkeypatch.setattr(backend, "device", "npu")
    for module in (recorder, stopwatch):
        monkeypatch.setattr(module, "accelerator", lambda device: torch.npu)
    random = stopwatch.inputs_for
    for module in (times, stopwatch):
        monkeypatch.setattr(module, "inputs_for", lambda rows, n, dtype, device: random(rows, n, dtype, "cpu"))
    monkeypatch.setattr(torch, "empty", functools.partial(on_the_cpu, torch.empty))
    monkeypatch.setattr(stopwatch, "FLUSH", 8)
    monkeypatch.setattr(npu, "BUFFERS", 96)  # so that rows wider than 512 do not fit
    monkeypatch.setattr(stopwatch, "_flushes", {})
    for name, value in {
        "ROWS": 2,
        "CASES": times.every(columns=(100, 580, 300), dtype=times.DTYPES),
        "ALONE": (100, 580),
    }.items():
        monkeypatch.setattr(times, name, value)
    monkeypatch.setattr(times, "compare", functools.partial(times.compare, rounds=1, seconds=0.0))
    monkeypatch.setattr(times, "COMPILES", False)
    smi = tmp_path / "npu-smi"
    smi.write_text("#!/bin/sh\necho '| npu-smi 25.2.0                   Version: 25.2.0             |'\n")
    smi.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")


def on_the_cpu(function, *sizes, device=None, **options):
    return function(*sizes, **options, device="cpu" if device == "npu" else device)


@pytest.mark.skipif(backend.mode != "interpreter", reason="pretends")
def test_the_recorder_times_what_runs_there(small, tmp_path, monkeypatch):
    path = recorder.record("times", "the command", tmp_path)
    assert path.name == "ascend910b3-times.csv"
    found = recording.load(path)
    told, lines = found.provenance, found.typed(times.Line)
    assert (told["device"], told["multiprocessors"], told["driver"]) == ("Ascend910B3", "40", "25.2.0")
    assert (
        told["cann"] == "8.3.RC1" and "cuda" not in told and f"triton {backend.triton.__version__}" in told["versions"]
    )
    assert not [key for key in told if key.startswith("refused")] and "incomplete" not in told

    widest = npu.widest_block(B3)
    asked = {(state, n) for state in times.STATES for n in (100, 580)} | {("sustained", 300), ("hot", 300)}
    assert {(line.state, line.columns) for line in lines} == asked and 100 <= widest < 580
    for dtype in times.DTYPES:
        for state, columns in asked:
            here = [line for line in lines if (line.state, line.dtype, line.columns) == (state, dtype, columns)]
            assert {line.provider for line in here} == peers.ON_NPU - ({"row"} if columns > widest else set())
            assert all(0 < line.low_us <= line.median_us <= line.high_us for line in here)

    monkeypatch.setattr(support, "RECORDED", tmp_path)
    table = {each.mode: each for each in support.backends()}
    assert table["npu"].devices == ("Ascend 910B3",) and table["npu"].runs.en == "yes"
    assert not table["cuda"].devices


def kernels(text: str):
    """The kernels that a file or a notebook defines: name → names of their arguments."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef) and any("triton.jit" in ast.unparse(d) for d in node.decorator_list):
            yield node.name, [argument.arg for argument in node.args.args]


def test_no_kernel_has_an_argument_that_triton_ascend_drops():
    """It takes `num_stages`, `num_warps` and the like for launch options, and drops them from the kernel's arguments."""
    texts = {path.name: path.read_text() for path in (ROOT / "course_utils").rglob("*.py")}
    for path in NOTEBOOKS:
        texts[path.name] = "\n".join(cell.source for cell in code_cells(read(path)))
    found = [(name, kernel, arguments) for name, text in texts.items() for kernel, arguments in kernels(text)]
    assert len(found) > 20
    dropped = {"num_stages", "num_warps", "num_ctas", "enable_fp_fusion", "grid", "maxnreg", "warmup"}
    assert not [(name, kernel) for name, kernel, arguments in found if dropped & set(arguments)]
