"""Ascend without an NPU: how it is recognised, how many programs it gets, and how rows are split to fit its buffer."""

import ast
import dataclasses
import functools
import re
import time
from types import SimpleNamespace

import pytest
import torch
from course import NOTEBOOKS, ROOT, code_cells, read

from course_tools import support
from course_tools.recording import provenance, providers
from course_tools.recording import times as record
from course_utils import backend, hardware, machine
from course_utils.hardware import driver as drivers
from course_utils.occupancy import on_npu as fits_on_npu
from course_utils.softmax import finished, grid_stride, inputs, npu, softmax
from course_utils.softmax.blocked import blocked_kernel
from course_utils.timing import recorded, stopwatch

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


def test_32_programs_are_a_guess_that_fits_one_chip():
    """Two of the launchers that people copy say `num_programs = 32`: right for 16 AI cores, idle cores on every other."""
    guess = 32
    idle = {chip.name: fits_on_npu(chip).launch(4096) - guess for chip in hardware.NPUS}
    assert idle == {chip.name: chip.vector_cores - guess for chip in hardware.NPUS}
    assert all(cores > 0 for cores in idle.values()), "a fifth of a 910B3 would have nothing to do, a third of a 910B2"


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


def test_blocks_fit_the_buffer():
    for chip in hardware.NPUS:
        block = npu.widest_block(chip)
        assert block & (block - 1) == 0
        assert block * 4 * npu.BUFFERS <= chip.buffer < 2 * block * 4 * npu.BUFFERS


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
def recorder(pretended, monkeypatch, tmp_path):
    """The recorder on the pretended NPU, whose memory is the CPU's and whose kernels are interpreted; a small sweep."""
    for module in (finished, providers, record, provenance):
        monkeypatch.setattr(module, "mode", "npu")
    for module in (provenance, record, stopwatch):
        monkeypatch.setattr(module, "accelerator", lambda device: torch.npu)
    monkeypatch.setattr(stopwatch, "FLUSH", 8)
    monkeypatch.setattr(npu, "BUFFERS", 96)  # so that rows wider than 512 do not fit
    monkeypatch.setattr(stopwatch, "_flushes", {})
    sizes = {"SWEEP": range(100, 1000, 40), "ODD": [], "POWERS": [], "ROWS": 2, "STATE_WIDTHS": [100, 580]}
    for name, value in sizes.items():
        monkeypatch.setattr(record, name, value)
    monkeypatch.setattr(record, "HOST", [("float32", 3, 300)])
    monkeypatch.setattr(record, "host_times", functools.partial(record.host_times, calls=1, rounds=2))
    monkeypatch.setattr(record, "compile_ahead", lambda *_: None)
    smi = tmp_path / "npu-smi"
    smi.write_text("#!/bin/sh\necho '| npu-smi 25.2.0                   Version: 25.2.0             |'\n")
    smi.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setattr(recorded, "FOLDER", tmp_path)
    recorded.read.cache_clear()
    yield record
    recorded.read.cache_clear()


@pytest.mark.skipif(backend.mode != "interpreter", reason="pretends")
def test_the_recorder_times_what_runs_there(recorder, tmp_path, monkeypatch):
    paths = recorder.record(tmp_path, quick=True, seconds=0.0) + recorder.record_host(tmp_path)
    states = ["sustained", "clean", "dirty", "hot"]
    assert [path.name for path in paths] == [
        *(f"ascend910b3-times-{state}.csv" for state in states),
        "ascend910b3-host.csv",
    ]

    for state in states:
        lines = recorded.read(f"times-{state}", "ascend910b3").lines
        assert {line["state"] for line in lines} == {state}
    assert {line["columns"] for line in lines} == {"100", "580"}
    found = recorded.read("times-sustained", "ascend910b3")
    told = found.provenance
    assert (told["device"], told["multiprocessors"], told["driver"]) == ("Ascend910B3", "40", "25.2.0")
    assert (
        told["cann"] == "8.3.RC1" and "cuda" not in told and f"triton {backend.triton.__version__}" in told["versions"]
    )
    assert not [key for key in told if key.startswith("refused")] and "incomplete" not in told

    widest = npu.widest_block(B3)
    widths = {shape.columns for shape in record.shapes(quick=True)}
    assert min(widths) <= widest < max(widths)
    for dtype in record.DTYPES:
        for columns in widths:
            lines = [line for line in found.measurements if (line.dtype, line.columns) == (dtype, columns)]
            whole_rows = {"row", "grid stride"} if columns <= widest else set()
            assert {line.provider for line in lines} == providers.ON_NPU - {"row", "grid stride"} | whole_rows
            (kernel,) = {line.kernel for line in lines if line.provider == "softmax"}
            assert kernel == ("grid_stride" if columns <= widest else "blocked")
            assert all(0 < line.low <= line.median <= line.high for line in lines)
    assert {line["provider"] for line in recorded.read("host", "ascend910b3").lines} == providers.ON_NPU

    monkeypatch.setattr(support, "RECORDED", tmp_path)
    table = {each.mode: each for each in support.backends()}
    assert table["npu"].devices == ("Ascend 910B3",) and table["npu"].runs.en == "yes"
    assert not table["cuda"].devices


@pytest.mark.skipif(backend.mode != "interpreter", reason="pretends")
def test_what_is_measured_is_softmax_and_compiles_ahead(recorder, monkeypatch):
    x = torch.randn(5, 500)
    for provider in providers.providers():
        if provider.name != "copy":
            torch.testing.assert_close(provider.prepare(x)(x), torch.softmax(x, 1))
    ran = []
    monkeypatch.setattr(torch.npu, "synchronize", lambda: ran.append(1))
    for columns in (500, 600):
        record._compile((record.Shape("float32", 5, columns, True), ["sustained"]))
    assert len(ran) == 6, "copy, row, grid stride and softmax; then copy and softmax alone"


def test_float64_is_refused_with_advice(monkeypatch):
    monkeypatch.setattr(inputs, "mode", "npu")
    with pytest.raises(TypeError, match=r"Ascend's .* x\.float\(\)"):
        inputs.check(torch.zeros(2, 2, dtype=torch.float64, device=backend.device))


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


@pytest.mark.skipif(backend.mode != "interpreter", reason="pretends")
def test_when_the_time_is_up_the_recording_says_that_it_is_a_part(recorder, tmp_path):
    recorder.record(tmp_path, quick=True, seconds=0.0, limit=0)
    found = recorded.read("times-sustained", "ascend910b3")
    assert found.provenance["incomplete"] == f"stopped after 1 of {len(record.shapes(quick=True))} shapes"
    assert len({(line.dtype, line.columns) for line in found.measurements}) == 1


NAME = "ascend910b3-times-sustained.csv"


@pytest.mark.skipif(backend.mode != "interpreter", reason="pretends")
def test_a_recording_goes_on_where_it_stopped(recorder, tmp_path):
    everything = len(record.shapes(quick=True))
    recorder.record(tmp_path, ["sustained"], quick=True, seconds=0.0, most=1)
    (first,) = {(line.dtype, line.columns) for line in recorded.load(tmp_path / NAME).measurements}
    recorder.record(tmp_path, ["sustained"], quick=True, seconds=0.0, most=1, further=True)
    found = recorded.load(tmp_path / NAME)
    assert found.provenance["incomplete"] == f"stopped after 2 of {everything} shapes"
    shapes = [(line.dtype, line.columns, line.provider) for line in found.measurements]
    assert len({shape[:2] for shape in shapes}) == 2 and first in {shape[:2] for shape in shapes}
    assert len(shapes) == len(set(shapes)), "nothing is measured twice"
    recorder.record(tmp_path, ["sustained", "hot"], quick=True, seconds=0.0, most=1)
    recorder.record(tmp_path, ["sustained", "hot"], quick=True, seconds=0.0, further=True)
    before = recorded.load(tmp_path / NAME).measurements
    for state in ("sustained", "hot"):
        found = recorded.load(tmp_path / NAME.replace("sustained", state))
        shapes = [(line.dtype, line.columns, line.provider) for line in found.measurements]
        assert len(shapes) == len(set(shapes)) and "incomplete" not in found.provenance
    path = tmp_path / NAME
    path.write_text("".join(line for line in path.read_text().splitlines(keepends=True) if ",naive," not in line))
    recorder.record(tmp_path, ["sustained"], quick=True, seconds=0.0, further=True)
    again = recorded.load(path).measurements
    assert {(line.dtype, line.columns, line.provider) for line in again} == {
        (line.dtype, line.columns, line.provider) for line in before
    }, "a contender whose lines were taken out is measured again, and nobody else"


@pytest.mark.skipif(backend.mode != "interpreter", reason="pretends")
def test_a_recording_keeps_the_version_of_whom_it_had_and_has_no_more(recorder, tmp_path):
    recorder.record(tmp_path, ["sustained"], quick=True, seconds=0.0, most=1)
    had = recorded.load(tmp_path / NAME).provenance["versions"]
    gone = had.replace("triton " + dict(each.split() for each in had.split(", "))["triton"], "triton -")
    assert record._of_both(had, gone) == had and record._of_both(gone, had) == had
    released = "liger-kernel 2026-10-21, flag-gems 2026-04-24"
    assert record._of_both(released, "") == released == record._of_both("", released)


@pytest.mark.skipif(backend.mode != "interpreter", reason="pretends")
def test_a_recording_does_not_go_on_with_other_versions(recorder, tmp_path, monkeypatch):
    recorder.record(tmp_path, ["sustained"], quick=True, seconds=0.0, most=1)
    path = tmp_path / NAME
    path.write_text(re.sub(r"(# versions: .*triton) \S+", r"\1 0.1", path.read_text()))
    with pytest.raises(SystemExit, match="triton .*0.1"):
        recorder.record(tmp_path, ["sustained"], quick=True, seconds=0.0, most=1, further=True)
