"""The grader of 05.mended_formula: how many programs fit, and what comes out if one thing or another is forgotten."""

from dataclasses import replace

from ..backend import triton
from ..hardware import CHIPS
from .formulas import Formula
from .nb05_says import SAYS

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


def _by_shared(formula):
    """The formula with another limit of those programs that use shared memory."""
    return _instead("shared", lambda c, r, s, w: formula(c, s) if s else c.programs)


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
        ("another chip", lambda chip, *needs: _fit(H200, *needs)),
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
            "registers rounded down",
            _instead(
                "registers",
                lambda c, r, s, w: (
                    c.registers_per_lane // (r // c.register_granule * c.register_granule) * c.schedulers // w
                ),
            ),
        ),
        (
            "within a scheduler",
            _instead(
                "registers", lambda c, r, s, w: c.registers_per_lane // _up(r, c.register_granule) // w * c.schedulers
            ),
        ),
        ("warps for programs", lambda c, r, s, w: min((_limits(c, r, s, 1)).values())),
        ("none without shared", lambda c, r, s, w: _fit(c, r, s, w) if s else 0),
        (
            "of one program",
            _by_shared(lambda c, s: c.shared_per_program // _up(s + c.shared_reserved, c.shared_granule)),
        ),
        ("reserved once", _by_shared(lambda c, s: (c.shared - c.shared_reserved) // _up(s, c.shared_granule))),
        (
            "reserved after rounding",
            _by_shared(lambda c, s: c.shared // (_up(s, c.shared_granule) + c.shared_reserved)),
        ),
        (
            "shared always counts",
            _instead("shared", lambda c, r, s, w: c.shared // max(1, _up(s + c.shared_reserved, c.shared_granule))),
        ),
    ],
    asked=lambda chip, r, s, w: f"{chip.name}, registers = {r}, shared = {s}, num_warps = {w}:",
)


def mended_formula(answer):
    def call(*needs):
        try:
            return answer(*needs)
        except ZeroDivisionError:
            raise SAYS.wrong("division by zero", shared=needs[2]) from None

    _mended_formula(call)
