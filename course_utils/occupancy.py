"""How many programs are resident on an SM at once: what a GPU has, divided by what a kernel needs.

An SM takes another program only while every resource still suffices: registers, shared memory, and its limits on resident
warps and on resident programs. The scarcest of them is the limit, and this module names it.

NVIDIA and AMD obey the same arithmetic once it is written per thread. Warps are dealt to the SM's four schedulers
(SM sub-partitions, SIMDs); each has so many registers for every lane of a warp (512, or 1536 on RDNA 3), and a warp takes
what its threads need, rounded up.
"""

import math
from dataclasses import dataclass

from . import hardware
from .language import Text

_NAMES = {
    "registers": Text("寄存器", "registers"),
    "shared": Text("共享内存", "shared memory"),
    "warps": Text("warp 数", "the number of warps"),
    "programs": Text("program 数", "the number of programs"),
}


@dataclass(frozen=True, repr=False)
class Occupancy:
    """Programs that are resident on one SM, and how many would if each resource alone decided (None: it does not)."""

    device: hardware.Device | hardware.Npu | hardware.Chip
    programs: int
    limits: dict[str, int | None]
    limited_by: str  # the scarcest resource; of equals, the one that comes first in `limits`
    num_warps: int
    warps: int  # resident

    @property
    def why(self) -> Text:
        """One sentence: how many, and what is the limit."""
        name = _NAMES[self.limited_by]
        if not self.programs:
            return Text(
                f"一个 program 也放不下：{name.zh}不够。这个 kernel 在这里无法启动。",
                f"Not even one program fits: too little of {name.en}. This kernel cannot be launched here.",
            )
        if isinstance(self.device, hardware.Npu):
            return Text("每个 program 独占一个向量核。", "Every program has a vector core to itself.")
        fit = "1 program fits" if self.programs == 1 else f"{self.programs} programs fit"
        return Text(
            f"每个 SM 最多驻留 {self.programs} 个 program。最先到上限的：{name.zh}。",
            f"{fit} on an SM at once. First at its limit: {name.en}.",
        )

    def __repr__(self) -> str:
        return str(self.why)

    def _repr_html_(self) -> str:
        return self.why._repr_html_()


def of(needs) -> Occupancy:
    """The occupancy of a `compiler.Compiled`, on the device it was compiled for."""
    numbers = {name: getattr(needs, name) for name in ("registers", "shared", "num_warps", "scalars")}
    return occupancy(needs.device, **numbers)


def occupancy(device, *, registers: int, shared: int, num_warps: int, scalars: int = 0) -> Occupancy:
    """The occupancy of a kernel that needs so many registers a thread, bytes of shared memory and warps a program.

    `device` is an entry of the hardware table or its name. `scalars` are AMD's registers of a whole wave.
    """
    chip = hardware.chip_of(device)
    limits = {
        "registers": _by_registers(chip, registers, num_warps, scalars),
        "shared": _by_shared(chip, shared),
        "warps": chip.warps // num_warps if num_warps * chip.target[2] <= chip.threads_per_program else 0,
        "programs": chip.programs if num_warps > 1 else chip.programs_of_one_warp or chip.programs,
    }
    limited_by = min((name for name in limits if limits[name] is not None), key=lambda name: limits[name])
    device, programs = device if isinstance(device, hardware.Chip) else hardware.find(device), limits[limited_by]
    return Occupancy(device, programs, limits, limited_by, num_warps, programs * num_warps)


def waves_by_registers(chip: hardware.Chip, registers: int, scalars: int = 0) -> int:
    """Warps that the registers of one scheduler hold."""
    if registers > chip.registers_per_thread:
        return 0
    waves = chip.registers_per_lane // up(max(registers, 1), chip.register_granule)
    if scalars and chip.scalar_registers:
        # Sixteen more are kept for the trap handler, and they are given out sixteen at a time.
        waves = min(waves, chip.scalar_registers // up(scalars + 16, 16))
    return waves


def _by_registers(chip, registers: int, num_warps: int, scalars: int) -> int:
    if chip.registers_per_program:
        # NVIDIA checks one program against a limit of its own, as if its warps were spread over all schedulers.
        spread = up(num_warps, chip.schedulers) * chip.target[2]
        if up(registers, chip.register_granule) * spread > chip.registers_per_program:
            return 0
    return waves_by_registers(chip, registers, scalars) * chip.schedulers // num_warps


def _by_shared(chip, shared: int) -> int | None:
    # Shared memory that nobody asked for limits nothing. (NVIDIA reserves its kilobyte even then: more than 200 programs.)
    if not shared:
        return None
    taken = up(shared + chip.shared_reserved, chip.shared_granule)
    if taken > chip.shared_per_program + chip.shared_reserved:
        return 0
    return chip.shared // taken


def up(amount: int, granule: int) -> int:
    """An amount as it is given out: in whole granules."""
    return math.ceil(amount / granule) * granule
