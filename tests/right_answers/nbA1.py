"""Right answers to the exercises of A1_amd_and_ascend, written otherwise: {exercise: [answer, ...]}."""

from wrong_answers.nbA1 import NPU

UP = "up = lambda a, g: -(-a // g) * g"

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
    "most_warps": [
        "return max(1, min(block // wave, 1024 // wave))",
        "warps = 1\nwhile 2 * warps * wave <= min(block, 1024):\n    warps *= 2\nreturn warps",
        "return min(block, 1024) // wave or 1",
    ],
    "npu_bytes": [
        NPU,
        "widest = 2 ** int(math.log2(buffer // 6 // 4))\npasses = 1 if triton.next_power_of_2(columns) <= widest else 2\n"
        "return (passes + 1) * rows * columns * itemsize",
        "narrow = 6 * 4 * triton.next_power_of_2(columns) <= buffer\nmatrix = rows * columns * itemsize\n"
        "return matrix + (matrix if narrow else 2 * matrix)",
    ],
}
