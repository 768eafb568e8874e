"""The hardware table, looked up and cross-checked; and what is in this machine."""

from types import SimpleNamespace

import pytest

from course_utils import hardware, machine
from course_utils.hardware import CHIPS, DEVICES, NPUS, chip_of, find
from course_utils.hardware import driver as drivers

# Additions and multiplications of one multiprocessor in a clock: lanes × 2, × 2 again where two can issue at once.
PER_CLOCK = {"sm_75": 128, "sm_80": 128, "sm_86": 256, "sm_89": 256, "sm_90": 256, "sm_100": 256, "sm_120": 256,
             "gfx90a": 128, "gfx942": 256, "gfx950": 256, "gfx1100": 512, "gfx1201": 512}  # fmt: skip


@pytest.mark.parametrize("device", DEVICES, ids=lambda device: device.name)
def test_a_devices_figures_fit_together(device):
    assert device.chip in CHIPS and device.source
    assert device.cache < device.memory
    assert 100 <= device.bandwidth <= 10_000, "GB/s"
    if device.clock:  # published twice: as TFLOP/s, and as multiprocessors and a clock
        assert device.fp32 == pytest.approx(
            device.multiprocessors * PER_CLOCK[device.chip] * device.clock / 1000, rel=0.01
        )


@pytest.mark.parametrize("chip", CHIPS.values(), ids=lambda chip: chip.name)
def test_a_chips_figures_fit_together(chip):
    assert chip.source
    assert chip.threads == chip.warps * chip.target[2]
    assert chip.shared_per_program + chip.shared_reserved <= chip.shared
    assert chip.warps % chip.schedulers == 0
    assert chip.registers_per_thread <= chip.registers_per_lane


def test_every_name_finds_its_own_entry():
    for entry in (*DEVICES, *NPUS):
        for name in (entry.name, entry.name.lower(), *entry.aliases, entry):
            assert find(name) is entry


SAID = {
    "NVIDIA H100 80GB HBM3": "H100", "NVIDIA H100 PCIe": "H100 PCIe", "NVIDIA A100-SXM4-80GB": "A100 80GB",
    "NVIDIA A100-PCIE-40GB": "A100 40GB", "Tesla T4": "T4", "NVIDIA GeForce RTX 4090": "RTX 4090",
    "AMD Instinct MI300X": "MI300X", "sm_90": "H200", "gfx942": "MI300X",
}  # fmt: skip


@pytest.mark.parametrize("said", SAID)
def test_what_drivers_say_is_understood(said):
    assert find(said).name == SAID[said]


def test_an_npu_has_no_multiprocessor():
    with pytest.raises(LookupError, match="vector core"):
        chip_of("Ascend 910B3")


def _driver(**more):
    base = {"name": "NVIDIA H200", "major": 9, "minor": 0, "multi_processor_count": 132, "total_memory": 150e9}
    return SimpleNamespace(**base | {"L2_cache_size": 60e6} | more)


def test_a_slice_of_a_gpu_keeps_its_own_count():
    slice_ = drivers.described(_driver(name="NVIDIA H200 MIG 3g.71gb", multi_processor_count=60, total_memory=71e9))
    assert (slice_.chip, slice_.multiprocessors, slice_.bandwidth, slice_.source) == ("sm_90", 60, None, "driver")


def test_an_unknown_gpu_is_described_by_its_driver():
    other = drivers.described(_driver(name="AMD Radeon 8060S", gcnArchName="gfx1151:xnack-", multi_processor_count=20))
    assert (other.name, other.chip, other.cache) == ("AMD Radeon 8060S", "gfx1151", 60e6)
    assert [str(text) for text in machine._problems(_facts(), other) if "gfx1151" in text.zh and "gfx1151" in text.en]


@pytest.mark.parametrize(
    ("unknown", "relative", "target"),
    [
        ("sm_87", "sm_86", ("cuda", 87, 32)),
        ("sm_121", "sm_120", ("cuda", 121, 32)),
        ("gfx940", "gfx942", ("hip", "gfx940", 64)),
        ("gfx1151", "gfx1100", ("hip", "gfx1151", 32)),
        ("gfx803", None, None),
    ],
)
def test_an_unknown_chip_has_the_limits_of_its_nearest_relative(unknown, relative, target):
    device = hardware.Device("New", unknown, 20, 16e9, None, "driver")
    if relative is None:
        with pytest.raises(LookupError, match=unknown):
            chip_of(device)
        return
    chip, near = chip_of(device), CHIPS[relative]
    assert (chip.name, chip.target) == (unknown, target)
    assert (chip.warps, chip.shared, chip.registers_per_lane) == (near.warps, near.shared, near.registers_per_lane)


def _facts(**more):
    return {"python": "3.11.0", "triton": "3.9.0", "numpy": "2.4.6", "backend": "cuda", "memory": 16e9} | more


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        (_facts(triton="3.5.1"), "triton"),
        (_facts(triton=None), "triton"),
        (_facts(memory=1e9), "memory"),
        (_facts(triton="3.6.0"), "numpy"),
        (_facts(python="3.9.2"), "Python 3.10"),
    ],
)
def test_what_stands_in_the_way_is_said_in_both_languages(facts, said):
    (problem,) = machine._problems(facts, None)
    assert said in problem.en and problem.zh and problem.zh != problem.en


def test_triton_ascend_counts_its_own_versions():
    assert not list(machine._problems(_facts(triton="3.2.0", numpy="1.26.4", backend="npu"), None))
