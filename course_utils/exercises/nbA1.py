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
        ("one chip", lambda c, r, w: _amd(CHIPS["gfx942"], r, w)),
        ("rounded down", lambda c, r, w: _amd(c, max(r // c.register_granule, 1) * c.register_granule, w)),
    ],
    asked=lambda chip, r, w: f"{chip.name}, registers = {r}, num_warps = {w}:",
)

# ---- warps that have something to do


def _most_warps(block, wave) -> int:
    return max(1, min(block, 1024) // wave)


_useful_warps = Formula(
    SAYS,
    _most_warps,
    [(block, wave) for block in (16, 32, 64, 128, 256, 1024, 4096, 16384) for wave in (32, 64)],
    [
        ("no limit on threads", lambda block, wave: max(1, block // wave)),
        ("no limit on threads", lambda block, wave: max(1, min(32, block // wave))),
        ("wave is fixed", lambda block, wave: _most_warps(block, 32)),
        ("wave is fixed", lambda block, wave: _most_warps(block, 64)),
        ("none for small blocks", lambda block, wave: min(block, 1024) // wave),
        ("threads for warps", lambda block, wave: min(block, 1024)),
        ("threads for warps", lambda block, wave: max(wave, min(block, 1024))),
        ("two elements", lambda block, wave: max(1, _most_warps(block, wave) // 2)),
        ("part of a warp", lambda block, wave: min(block, 1024) / wave),
        ("always one", lambda block, wave: 1),
        ("elements of a lane", lambda block, wave: max(1, block // (wave * _most_warps(block, wave)))),
    ],
    asked=lambda block, wave: f"block = {block}, wave = {wave}:",
)

# ---- bytes of a launch on an NPU


def _widest(buffer, blocks=6, itemsize=4) -> int:
    return 1 << (buffer // (blocks * itemsize)).bit_length() - 1


def _moved(passes, narrow=2, wide=3):
    """The bytes, where `passes` says of (columns, itemsize, buffer) whether a row is wide."""
    return lambda m, n, size, buffer: m * n * size * (wide if passes(n, size, buffer) else narrow)


def _is_wide(n, size, buffer) -> bool:
    return n > _widest(buffer)


def _blocks_moved(m, n, size, buffer) -> int:
    """Whole blocks, with what the mask hides."""
    widest = _widest(buffer)
    return m * size * (3 * _up(n, widest) if n > widest else 2 * (1 << (n - 1).bit_length()))


KIB = 1024
_npu_bytes = Formula(
    SAYS,
    _moved(_is_wide),
    [
        (m, n, size, buffer)
        for m in (1, 100)
        for n in (781, 3000, 4096, 5000, 8192, 8193, 10000, 20000, 60000)
        for size in (4, 2)
        for buffer in (192 * KIB, 128 * KIB, 160 * KIB, 256 * KIB)
    ],
    [
        ("not a power of two", _moved(lambda n, size, buffer: n > buffer // 24)),
        ("types mixed up", _moved(lambda n, size, buffer: n > _widest(buffer, itemsize=size))),
        ("bytes of a block", _moved(lambda n, size, buffer: n > _widest(buffer, itemsize=1))),
        ("just fits", _moved(lambda n, size, buffer: n >= _widest(buffer))),
        ("rounded up", _moved(lambda n, size, buffer: n > 1 << (buffer // 24 - 1).bit_length())),
        ("buffer is fixed", _moved(lambda n, size, buffer: _is_wide(n, size, 192 * KIB))),
        ("padding moved", _blocks_moved),
        ("always four bytes", lambda m, n, size, buffer: _moved(_is_wide)(m, n, 4, buffer)),
        ("one block alone", _moved(lambda n, size, buffer: n > _widest(buffer, blocks=1))),
        ("no double buffering", _moved(lambda n, size, buffer: n > _widest(buffer, blocks=3))),
        ("read once", lambda m, n, size, buffer: 2 * m * n * size),
        ("read twice", lambda m, n, size, buffer: 3 * m * n * size),
        ("nothing written", _moved(_is_wide, 1, 2)),
        ("written twice", _moved(_is_wide, 2, 4)),
        ("elements for bytes", lambda m, n, size, buffer: _moved(_is_wide)(m, n, size, buffer) / size),
    ],
    asked=lambda m, n, size, buffer: f"rows = {m}, columns = {n}, itemsize = {size}, buffer = {buffer}:",
)

EXERCISES = {
    name: Exercise(name, grader, SAYS[name])
    for name, grader in {"most_warps": _useful_warps, "amd_programs": _amd_programs, "npu_bytes": _npu_bytes}.items()
}
