"""The exercises of A1_amd_and_ascend (its questions are in `nbA1_questions`)."""

from dataclasses import replace

from ..hardware import CHIPS
from ..occupancy import up as _up
from .exercise import Exercise
from .formulas import Formula
from .nbA1_questions import QUESTIONS
from .nbA1_says import SAYS

__all__ = ["EXERCISES", "QUESTIONS"]

# ---- AMD


def _waves(chip, registers) -> int:
    """On one SIMD, by registers."""
    return chip.registers_per_lane // _up(registers, chip.register_granule)


def _amd(chip, registers, num_warps) -> int:
    return min(_waves(chip, registers), chip.warps // chip.schedulers) * chip.schedulers // num_warps


def _amd_on(**figures):
    return lambda chip, *needs: _amd(replace(chip, **figures), *needs)


_ODD_AMD = replace(
    CHIPS["gfx942"], name="imaginary", schedulers=2, warps=20, registers_per_lane=640, register_granule=16
)
_amd_programs = Formula(
    SAYS,
    _amd,
    [
        (chip, r, w)
        for chip in (*(CHIPS[name] for name in ("gfx942", "gfx90a", "gfx1100")), _ODD_AMD)
        for r in (16, 26, 60, 92, 97, 128, 150, 240)
        for w in (1, 2, 3, 4, 8)
    ],
    [
        ("no wave slots", lambda c, r, w: _waves(c, r) * c.schedulers // w),
        ("no granule", _amd_on(register_granule=1)),
        ("granule is fixed", _amd_on(register_granule=8)),
        ("lane is fixed", _amd_on(registers_per_lane=512)),
        ("schedulers are fixed", lambda c, r, w: min(_waves(c, r), c.warps // 4) * 4 // w),
        ("one SIMD", lambda c, r, w: min(_waves(c, r), c.warps // c.schedulers) // w),
        ("waves", lambda c, r, w: _amd(c, r, 1)),
        ("slots of all", lambda c, r, w: min(_waves(c, r), c.warps) * c.schedulers // w),
        ("SIMD by SIMD", lambda c, r, w: min(_waves(c, r), c.warps // c.schedulers) // w * c.schedulers),
        (
            "registers of all",
            lambda c, r, w: min(c.registers_per_lane * c.schedulers // _up(r, c.register_granule), c.warps) // w,
        ),
        ("at least one", lambda c, r, w: max(1, _amd(c, r, w))),
    ],
    asked=lambda chip, r, w: f"{chip.name}, registers = {r}, num_warps = {w}:",
)

