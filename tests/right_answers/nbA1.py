"""Right answers to the exercises of A1_amd_and_ascend, written otherwise: {exercise: [answer, ...]}."""

from wrong_answers.nb05 import UP

RIGHT = {
    "amd_programs": [
        f"{UP}\nwaves = chip.registers_per_lane // up(registers, chip.register_granule)\n"
        "return min(waves * chip.schedulers, chip.warps) // num_warps",
        f"{UP}\nper_simd = 0\nwhile per_simd < chip.warps // chip.schedulers and "
        "(per_simd + 1) * up(registers, chip.register_granule) <= chip.registers_per_lane:\n    per_simd += 1\n"
        "return per_simd * chip.schedulers // num_warps",
        "lane = math.ceil(registers / chip.register_granule) * chip.register_granule\n"
        "waves = min(math.floor(chip.registers_per_lane / lane), chip.warps / chip.schedulers)\n"
        "return int(waves * chip.schedulers / num_warps)",
    ],
}
