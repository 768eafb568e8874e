"""From a name to the row of the hardware table that it means."""

import functools
import re
from dataclasses import replace

from ..language import both
from .table import CHIPS, DEVICES, NPUS, Chip, Device, Npu


def find(name) -> Device | Npu:
    """The entry that is called `name`: "H200", "NVIDIA H200", "sm_90" (its best-known device), or an entry itself."""
    if isinstance(name, (Device, Npu)):
        return name
    wanted, called = _plain(name), _called()
    if wanted in called:
        return called[wanted]
    # Drivers say more than the table: "NVIDIA H100 80GB HBM3", "NVIDIA GeForce RTX 4090". The longest name in it wins.
    inside = [each for each in called if f" {each} " in f" {wanted} "]
    if inside:
        return called[max(inside, key=len)]
    best_known = {_plain(entry.chip): entry for entry in DEVICES}
    if wanted in best_known:
        return best_known[wanted]
    names = ", ".join(entry.name for entry in [*DEVICES, *NPUS])
    raise LookupError(
        both(f"硬件表里没有 {name!r}；有：{names}。", f"{name!r} is not in the hardware table; it has {names}.")
    )


@functools.cache
def _called() -> dict[str, Device | Npu]:
    """Every name in the table, made plain once: launchers ask at every call."""
    return {_plain(each): entry for entry in reversed([*DEVICES, *NPUS]) for each in (entry.name, *entry.aliases)}


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
                f"{entry.name} 没有多处理器、warp 和寄存器堆：每个 program 独占一个向量核。",
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
