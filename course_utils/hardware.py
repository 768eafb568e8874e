"""What a GPU has: a table of real GPUs and NPUs, and what is in this machine."""

import contextlib
import importlib.metadata
import importlib.util
import os
import platform
import re
import sys
from dataclasses import replace

from .hardware_table import CHIPS, DEVICES, NPUS, Chip, Device, Npu
from .language import Text, both

__all__ = ["CHIPS", "DEVICES", "NPUS", "Chip", "Device", "Npu", "chip_of", "find", "here", "this_machine"]

PYTHONS = ((3, 10), (3, 13))
TRITON = (3, 6)


def find(name) -> Device | Npu:
    """The entry that is called `name`: "H200", "NVIDIA H200", "sm_90" (its best-known device), or an entry itself."""
    if isinstance(name, (Device, Npu)):
        return name
    wanted = _plain(name)
    entries = [*DEVICES, *NPUS]
    called = {_plain(each): entry for entry in reversed(entries) for each in (entry.name, *entry.aliases)}
    if wanted in called:
        return called[wanted]
    # Drivers say more than the table: "NVIDIA H100 80GB HBM3", "NVIDIA GeForce RTX 4090". The longest name in it wins.
    inside = [each for each in called if f" {each} " in f" {wanted} "]
    if inside:
        return called[max(inside, key=len)]
    for chip, device in _BEST_KNOWN.items():
        if wanted == _plain(chip):
            return find(device)
    names = ", ".join(entry.name for entry in entries)
    raise LookupError(
        both(f"硬件表里没有 {name!r}；有：{names}。", f"{name!r} is not in the hardware table; it has {names}.")
    )


_BEST_KNOWN = {"sm_75": "T4", "sm_80": "A100", "sm_86": "RTX 3090", "sm_89": "RTX 4090", "sm_90": "H200", "sm_100": "B200",
               "sm_120": "RTX 5090", "gfx90a": "MI250X", "gfx942": "MI300X", "gfx950": "MI355X", "gfx1100": "RX 7900 XTX",
               "gfx1201": "RX 9070 XT"}  # fmt: skip


def _plain(name: str) -> str:
    return " ".join(re.split(r"[-/\s]+", str(name).lower()))  # "AMD Instinct MI250X/MI250" is one name


def chip_of(device) -> Chip:
    """What one multiprocessor of a device (or of a chip, by name) holds."""
    if isinstance(device, Chip):
        return device
    if isinstance(device, str) and device in CHIPS:
        return CHIPS[device]
    entry = find(device)
    if isinstance(entry, Npu):
        raise LookupError(
            both(
                f"{entry.name} 没有多处理器、warp 和寄存器堆：每个程序独占一个向量核。",
                f"{entry.name} has no multiprocessors, warps or register file: every program has a vector core to itself.",
            )
        )
    return _chip(entry.chip)


def _chip(name: str) -> Chip:
    if name in CHIPS:
        return CHIPS[name]
    # A GPU that the table does not know has the limits of its nearest relative: sm_103 those of sm_100.
    digits = 2 if name.startswith("gfx") else 1
    family = {int(known[-digits:], 16): known for known in CHIPS if known[:-digits] == name[:-digits]}
    if not family:
        raise LookupError(both(f"硬件表里没有 {name} 这一系列。", f"The hardware table has no relative of {name}."))
    nearest = CHIPS[family[min(family, key=lambda number: abs(number - int(name[-digits:], 16)))]]
    backend, _, warp_size = nearest.target
    return replace(nearest, name=name, target=(backend, name if digits == 2 else int(name[3:]), warp_size))


def here() -> Device | Npu | None:
    """The accelerator of this machine: from the table where it is there, else as its driver describes it; None without one."""
    from . import backend

    if backend.mode in ("cuda", "hip"):
        import torch

        properties = torch.cuda.get_device_properties(torch.cuda.current_device())
        return _from_driver(properties)
    if backend.mode == "npu":
        import torch

        name = torch.npu.get_device_name(torch.npu.current_device())
        return _npu_from_driver(name, backend.triton.runtime.driver.active.utils.get_device_properties(0))
    return None


def _npu_from_driver(name: str, properties: dict) -> Npu:
    """The cores are the driver's word: one chip is sold with more of them or fewer. The rest is the table's, for its relatives."""
    cores = {"ai_cores": properties["num_aicore"], "vector_cores": properties["num_vectorcore"]}
    try:
        known = find(name)
    except LookupError:
        known = replace(find("Ascend 910B"), name=name, target=("npu", name, 0))
    same = (known.ai_cores, known.vector_cores) == tuple(cores.values()) and known in NPUS
    return known if same else replace(known, source="driver", **cores)


def _from_driver(properties) -> Device:
    arch = getattr(properties, "gcnArchName", "").partition(":")[0]
    chip = arch if arch.startswith("gfx") else f"sm_{properties.major}{properties.minor}"
    with contextlib.suppress(LookupError):
        known = find(properties.name)
        # A GPU can be cut into slices: then the table's name fits and its numbers do not.
        if known.chip == chip and known.multiprocessors == properties.multi_processor_count:
            return known
    return Device(
        properties.name,
        chip,
        properties.multi_processor_count,
        float(properties.total_memory),
        None,
        "driver",
        cache=float(getattr(properties, "L2_cache_size", 0)) or None,
    )


def this_machine() -> dict:
    """What is here, as plain data; `problems` holds a bilingual `Text` for each thing that stands in the course's way."""
    from . import backend

    device = here()
    facts = {
        "backend": backend.mode,
        "device": device.name if device else (platform.processor() or platform.machine()),
        "device_memory": getattr(device, "memory", None),
        "known": device is not None and device.source != "driver",
        "cpu_cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "memory": _memory(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "triton": backend.triton.__version__,  # its package has other names on ROCm and Ascend
        **{package: _version(package) for package in ("torch", "numpy", "matplotlib", "jupyterlab", "ipywidgets")},
    }
    return facts | {"problems": list(_problems(facts, device))}


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def _memory() -> int:
    """Bytes of main memory that this process may use: a container often has less than its machine."""
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    for limit in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        with contextlib.suppress(OSError, ValueError), open(limit) as file:
            total = min(total, int(file.read()))
    return total


def _problems(facts: dict, device):
    if not PYTHONS[0] <= sys.version_info[:2] <= PYTHONS[1]:
        versions = f"{'.'.join(map(str, PYTHONS[0]))}–{'.'.join(map(str, PYTHONS[1]))}"
        yield Text(
            f"课程在 Python {versions} 上测试过，这里是 {facts['python']}。",
            f"The course is tested on Python {versions}; this is {facts['python']}.",
        )
    # triton-ascend is called triton too, and counts its versions its own way.
    version = tuple(int(part) for part in (facts["triton"] or "0.0").split(".")[:2] if part.isdigit())
    ascend = facts["backend"] == "npu" or importlib.util.find_spec("triton.backends.ascend") is not None
    if version < TRITON and not ascend:
        wanted = ".".join(map(str, TRITON))
        yield Text(
            f"课程需要 triton {wanted} 或更新，这里是 {facts['triton']}。运行 pip install -U triton 后重启内核。",
            f"The course needs triton {wanted} or newer; this is {facts['triton']}. Run pip install -U triton, then restart the "
            "kernel.",
        )
    if isinstance(device, Device) and device.chip not in CHIPS:
        yield Text(
            f"硬件表里没有 {device.name}（{device.chip}）：内核能跑，但占用率是按同系列芯片的上限估算的。",
            f"{device.name} ({device.chip}) is not in the hardware table: kernels run, but occupancy is estimated with the limits "
            "of a chip of the same family.",
        )
    if facts["memory"] < 3e9:
        yield Text(
            f"可用内存只有 {facts['memory'] / 1e9:.1f} GB；一次只打开一个笔记本，否则内核会被系统结束。",
            f"Only {facts['memory'] / 1e9:.1f} GB of memory: open one notebook at a time, or the system will end a kernel.",
        )
