"""Tutorial 02's count of programs that fit on an SM, with what it forgets put in, one after another."""

from ..occupancy import up

FORGOTTEN = ("warp limit", "registers", "program limit", "reserve")


def still_wrong(chip, variants) -> list[int]:
    """In how many of the variants it is wrong: as it is, then with one more repair each time."""
    repairs = [FORGOTTEN[:done] for done in range(len(FORGOTTEN) + 1)]
    return [sum(_repaired(chip, v, done) != v.programs for v in variants) for done in repairs]


def _repaired(chip, v, done) -> int:
    warps, shared = chip.registers // (32 * v.registers), chip.shared_per_program // v.shared
    if "registers" in done:  # rounded up, and from a pool for each scheduler
        warps = chip.registers_per_lane // up(v.registers, chip.register_granule) * chip.schedulers
    if "reserve" in done:
        shared = chip.shared // up(v.shared + chip.shared_reserved, chip.shared_granule)
    limits = [warps // v.num_warps, shared]
    if "warp limit" in done:
        limits.append(chip.warps // v.num_warps)
    if "program limit" in done:
        limits.append(chip.programs)
    return min(limits)
