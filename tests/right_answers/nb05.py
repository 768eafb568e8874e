"""Right answers to the exercises of 05_occupancy_launcher, written otherwise: {exercise: [answer, ...]}."""

from wrong_answers.nb05 import UP, WHOLE, key

RIGHT = {
    "mended_formula": [
        WHOLE,
        WHOLE.replace("    if shared:\n        limits", "    if shared > 0:\n        limits"),
        f"{UP}\nwarps = min(chip.registers_per_lane // up(registers, chip.register_granule) * chip.schedulers, chip.warps)\n"
        "fits = min(warps // num_warps, chip.programs)\n"
        "while fits and shared and fits * up(shared + chip.shared_reserved, chip.shared_granule) > chip.shared:\n"
        "    fits -= 1\nreturn fits",
        "lane = math.ceil(registers / chip.register_granule) * chip.register_granule\n"
        "by = [(chip.registers_per_lane // lane) * chip.schedulers / num_warps, chip.warps / num_warps, chip.programs]\n"
        "if shared:\n"
        "    by += [chip.shared / (math.ceil((shared + chip.shared_reserved) / chip.shared_granule) * chip.shared_granule)]\n"
        "return math.floor(min(by))",
    ],
    "cache_key": [
        key(),
        key(
            of="'wide' if n >= 2**31 and n % 16 else 'wide16' if n >= 2**31 else 1 if n == 1 else 16 if n % 16 == 0 else 0"
        ),
        key(more="str(x.dtype), x.data_ptr() & 15 == 0, y.data_ptr() & 15 == 0"),
        "wide = 2147483647\ndef of(n):\n    return 'one' if n == 1 else f'{n % 16 == 0}{n > wide}'\n"
        "parts = [str(x.dtype), str(y.dtype), str(triton.next_power_of_2(x.shape[1]))]\n"
        "parts += [of(n) for n in (y.stride(0), x.stride(0), len(x), x.size(1))]\n"
        "parts += [str(t.data_ptr() % 16 == 0) for t in (y, x)]\nreturn '/'.join(parts)",
        "bits = 0\nfor n in (y.stride(0), x.stride(0), *x.shape):\n"
        "    bits = bits * 8 + (n == 1) + 2 * (n % 16 == 0) + 4 * (n >= 2**31)\n"
        "for t in (y, x):\n    bits = bits * 2 + (t.data_ptr() % 16 == 0)\n"
        "return bits, x.dtype, triton.next_power_of_2(x.shape[1])",
    ],
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
