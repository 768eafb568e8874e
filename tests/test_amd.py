"""AMD without an AMD GPU: every kernel compiles for its chips, and the launchers compute from what real drivers report."""

from types import SimpleNamespace

import pytest
import torch
from softmax_kernels import FP32, usual_launches

from course_utils import backend, hardware
from course_utils.compiler import compile_for
from course_utils.hardware import driver as drivers
from course_utils.occupancy import of, waves_by_registers
from course_utils.softmax import choose as choosing

AMD = [chip for chip in hardware.CHIPS.values() if chip.target[0] == "hip"]
KERNELS = {kernel.__name__: kernel for kernel in usual_launches()}
# Every kernel for a chip of 64 lanes; some for one of 32, and for the others too.
EACH = [pytest.param(name, chip, id=f"{name} {chip.name}") for name in KERNELS for chip in AMD
        if chip.name == "gfx942" or name in ("row_kernel", "rows_kernel") or chip.name == "gfx1100" and "team" in name]  # fmt: skip

# What torch.cuda.get_device_properties printed on real machines: the MI250X on LUMI, whose guide to its PyTorch containers shows
# it without an L2, which here is rocminfo's (ROCm/flash-attention#149); the MI300X in ROCm/ROCm#4203, which is about its L2 being
# that of one die; the two RX in ROCm/ROCm#5040, where 48 and 32 are pairs of compute units. No print of an MI355X was found.
MB = 1 << 20
REPORTED = {
    "MI250X": {"name": "AMD Instinct MI250X", "gcnArchName": "gfx90a:sramecc+:xnack-", "multi_processor_count": 110,
               "major": 9, "minor": 0, "total_memory": 65520 * MB, "L2_cache_size": 8 * MB},
    "MI300X": {"name": "AMD Instinct MI300X", "gcnArchName": "gfx942:sramecc+:xnack-", "multi_processor_count": 304,
               "major": 9, "minor": 4, "total_memory": 196592 * MB, "L2_cache_size": 4 * MB},
    "RX 7900 XTX": {"name": "Radeon RX 7900 XTX", "gcnArchName": "gfx1100", "multi_processor_count": 48,
                    "major": 11, "minor": 0, "total_memory": 24560 * MB, "L2_cache_size": 6 * MB},
    "RX 9070 XT": {"name": "AMD Radeon RX 9070 XT", "gcnArchName": "gfx1201", "multi_processor_count": 32,
                   "major": 12, "minor": 0, "total_memory": 16304 * MB, "L2_cache_size": 8 * MB},
}  # fmt: skip


def reported(name, /, **more):
    return drivers.described(SimpleNamespace(**REPORTED[name] | more))


# --- The compiler ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name, chip", EACH)
def test_every_kernel_compiles_for_every_chip(name, chip):
    arguments, constants = usual_launches(chip.target[2])[KERNELS[name]]
    needs = compile_for(KERNELS[name], chip.name, *arguments, num_warps=4, **constants)
    assert needs.warp_size == chip.target[2] and needs.threads == 4 * chip.target[2]
    assert chip.name in needs.text("amdgcn").partition(".amdgcn_target")[2].splitlines()[0]
    assert 8 <= needs.registers <= 160 and needs.spills == 0 and needs.scalars > 8
    assert 0 <= needs.shared <= 1024
    fits = of(needs)
    assert 1 <= fits.programs <= chip.warps // 4
    waves = waves_by_registers(chip, needs.registers, needs.scalars)
    assert needs.compilers_waves == min(chip.warps // chip.schedulers, waves)


def test_what_does_not_fit_the_registers_spills():
    wide = compile_for(KERNELS["row_kernel"], "RX 7900 XTX", FP32, FP32, 8192, 8192, 8189, BLOCK_SIZE=8192, num_warps=2)
    assert wide.registers == 256 and wide.spills > 0


# --- The launchers ----------------------------------------------------------------------------------------------------------


def test_hip_is_recognised(monkeypatch):
    for name in ("COURSE_BACKEND", "TRITON_INTERPRET"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.version, "hip", "7.0.51831", raising=False)
    assert backend.detect() == "hip"
    monkeypatch.setattr(torch.version, "hip", None)
    assert backend.detect() == "cuda"


@pytest.mark.parametrize("name", REPORTED)
def test_what_a_real_driver_reports_is_found_in_the_table(name):
    device = reported(name)
    assert device is hardware.find(name) and hardware.chip_of(device).target[2] == (32 if "RX" in name else 64)
    fewer = reported(name, multi_processor_count=38)  # MI300X in CPX mode: an eighth of it is a device
    assert (fewer.chip, fewer.multiprocessors, fewer.source) == (device.chip, 38, "driver")


SHAPES = [(5, 20), (9, 781), (4, 1024), (2, 12000)]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16], ids=str)
@pytest.mark.parametrize("device", ["MI250X", "MI300X", "RX 7900 XTX"])
def test_the_finished_launcher_on_hip(monkeypatch, device, dtype):
    """What it would launch there: it computes softmax, compiles, spills nothing and fits. Rows too wide for a program are split."""
    wave = 32 if "RX" in device else 64
    monkeypatch.setattr(choosing, "gpu_of", lambda device: choosing.Gpu(warp=wave))
    peeled = set()
    for shape in SHAPES:
        x = torch.randn(shape, generator=torch.Generator().manual_seed(0)).to(dtype)
        y = torch.empty_like(x)
        launch = choosing.choose(y, x)
        peeled.add(bool(launch.constants["VECTOR"]))
        assert not launch.mailbox and set(launch.options) == {"num_warps"}, "teams and early starts are NVIDIA's"
        needs = compile_for(launch.kernel, device, y, x, *launch.sizes, **launch.constants, **launch.options)
        assert needs.warp_size == wave and needs.spills == 0 and of(needs).programs >= 1
        if backend.mode == "interpreter":
            launch(y, x)
            tolerance = {} if dtype == torch.float32 else {"rtol": 4e-3, "atol": 1e-6}
            torch.testing.assert_close(y, torch.softmax(x.float(), 1).to(dtype), **tolerance)
    assert peeled == {False, True}, "rows on the grid, and ragged ones"
    wide = torch.empty(2, 40000, dtype=dtype)
    assert choosing.choose(wide, wide) is None
