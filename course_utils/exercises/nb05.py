"""The exercises of 05_occupancy_launcher (its questions are in `nb05_questions`, one grader in `cache_keys`)."""

from dataclasses import replace

from ..backend import triton
from ..hardware import CHIPS
from .cache_keys import cache_key
from .exercise import Exercise
from .formulas import Formula
from .nb05_questions import QUESTIONS
from .nb05_says import SAYS

__all__ = ["EXERCISES", "QUESTIONS"]

H200 = CHIPS["sm_90"]
ODD = replace(
    H200,
    name="imaginary",
    warps=60,
    programs=58,
    shared=96 * 1024,
    shared_reserved=1800,
    shared_granule=512,
    schedulers=2,
    registers_per_lane=720,
    register_granule=16,
)


def _up(amount, granule):
    return triton.cdiv(amount, granule) * granule


# ---- the formula, mended


def _limits(chip, registers, shared, num_warps) -> dict[str, int]:
    """How many programs fit by each of the limits."""
    found = {
        "registers": chip.registers_per_lane // _up(registers, chip.register_granule) * chip.schedulers // num_warps,
        "warps": chip.warps // num_warps,
        "programs": chip.programs,
    }
    if shared:
        found["shared"] = chip.shared // _up(shared + chip.shared_reserved, chip.shared_granule)
    return found


def _fit(*needs) -> int:
    return min(_limits(*needs).values())


def _without(limit):
    return lambda *needs: min(found for name, found in _limits(*needs).items() if name != limit)


def _on(**figures):
    """The formula with these figures for every chip."""
    return lambda chip, *needs: _fit(replace(chip, **figures), *needs)


def _instead(limit, formula):
    """The formula with another limit in place of this one."""
    return lambda *needs: min((_limits(*needs) | {limit: formula(*needs)}).values())


_NEEDS = [
    (18, 32, 8),
    (16, 0, 1),
    (24, 0, 2),
    (33, 32, 8),
    (104, 32, 8),
    (64, 30000, 8),
    (40, 5000, 2),
    (16, 7168, 2),
    (152, 40000, 4),
    (255, 0, 32),
    (32, 300000, 8),
    (16, 1000, 1),
    (24, 3300, 2),
    (16, 0, 8),
]
_mended_formula = Formula(
    SAYS,
    _fit,
    [
        (chip, *needs)
        for chip in (*(CHIPS[name] for name in ("sm_90", "sm_80", "sm_89", "sm_75")), ODD)
        for needs in _NEEDS
    ],
    [
        ("no warps", _without("warps")),
        ("no programs", _without("programs")),
        ("no registers", _without("registers")),
        ("no shared", _without("shared")),
        ("no granule", _on(register_granule=1)),
        ("no reserved", _on(shared_reserved=0)),
        ("no shared granule", _on(shared_granule=1)),
        ("lane is fixed", _on(registers_per_lane=512)),
        ("schedulers are fixed", _on(schedulers=4)),
        ("granule is fixed", _on(register_granule=8)),
        ("system share is fixed", _on(shared_reserved=1024)),
        ("pieces of shared are fixed", _on(shared_granule=128)),
        ("largest", lambda *needs: max(_limits(*needs).values())),
        ("at least one", lambda *needs: max(1, _fit(*needs))),
        (
            "across schedulers",
            _instead(
                "registers", lambda c, r, s, w: c.registers_per_lane * c.schedulers // _up(r, c.register_granule) // w
            ),
        ),
        (
            "one scheduler",
            _instead("registers", lambda c, r, s, w: c.registers_per_lane // _up(r, c.register_granule) // w),
        ),
        (
            "reserved after rounding",
            _instead(
                "shared",
                lambda c, r, s, w: c.shared // (_up(s, c.shared_granule) + c.shared_reserved) if s else c.programs,
            ),
        ),
        (
            "shared always counts",
            _instead("shared", lambda c, r, s, w: c.shared // max(1, _up(s + c.shared_reserved, c.shared_granule))),
        ),
    ],
    asked=lambda chip, r, s, w: f"{chip.name}, registers = {r}, shared = {s}, num_warps = {w}:",
)


def _mended_and_never_divided_by_zero(answer):
    def call(*needs):
        try:
            return answer(*needs)
        except ZeroDivisionError:
            raise SAYS.wrong("division by zero", shared=needs[2]) from None

    _mended_formula(call)


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

EXERCISES = {
    name: Exercise(name, grader, SAYS[name])
    for name, grader in {
        "mended_formula": _mended_and_never_divided_by_zero,
        "cache_key": cache_key,
        "amd_programs": _amd_programs,
    }.items()
}
