"""Ascend without an NPU: how it is recognised, how many programs it gets, and how rows are split to fit its buffer."""

import dataclasses
from types import SimpleNamespace

import pytest
import torch

from course_utils import backend, hardware, machine
from course_utils.hardware import driver as drivers
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


def test_the_cores_are_the_drivers_word():
    assert drivers.npu_described("Ascend910B3", PROPERTIES) is B3
    fewer = drivers.npu_described("Ascend910B3", PROPERTIES | {"num_aicore": 16, "num_vectorcore": 32})
    assert (fewer.vector_cores, fewer.buffer, fewer.source) == (32, B3.buffer, "driver")
    unknown = drivers.npu_described("Ascend910B4-1", PROPERTIES)
    assert (unknown.name, unknown.vector_cores, unknown.buffer) == ("Ascend910B4-1", 40, B3.buffer)


@pytest.fixture
def pretended(monkeypatch):
    """A 910B3 as torch_npu and triton-ascend's driver describe it."""
    driver = SimpleNamespace(active=SimpleNamespace(utils=SimpleNamespace(get_device_properties=lambda _: PROPERTIES)))
    fake = SimpleNamespace(
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
    rtol = {torch.float32: 1e-5, torch.float16: 2e-3, torch.bfloat16: 2e-2}[dtype]
    torch.testing.assert_close(y, torch.softmax(x.float(), 1).to(dtype), equal_nan=True, rtol=rtol, atol=1e-6)


def test_the_finished_softmax_takes_this_way(launches, monkeypatch):
    monkeypatch.setattr(finished, "mode", "npu")
    monkeypatch.setattr(finished, "_known", {})
    monkeypatch.setattr(hardware, "here", lambda: B3)
    x = torch.randn(2, 60, 33, device=backend.device)
    torch.testing.assert_close(softmax(x), torch.softmax(x, -1))
    assert launches[0] == [((40,), {"BLOCK_SIZE": 64, "STAGES": 1})]
