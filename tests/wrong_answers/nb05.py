"""Plausible wrong answers to the exercises of 05_occupancy_launcher, and a word of what the check must say of each."""

WHOLE = """def mended_formula(chip, registers, shared, num_warps):
    up = lambda a, g: -(-a // g) * g
    limits = []
    limits.append(chip.registers_per_lane // up(registers, chip.register_granule) * chip.schedulers // num_warps)
    limits.append(chip.warps // num_warps)
    limits.append(chip.programs)
    if shared:
        limits.append(chip.shared // up(shared + chip.shared_reserved, chip.shared_granule))
    return min(limits)
"""


def key(numbers="(y.stride(0), x.stride(0), *x.shape)", of="(n == 1, n % 16 == 0)", more="x.dtype, x.data_ptr() % 16 == 0, y.data_ptr() % 16 == 0"):  # fmt: skip
    """A key that is right but for what is given here."""
    return f"return ({more}, triton.next_power_of_2(x.shape[1]), *[{of} for n in {numbers}])"


WRONG = {
    "warps_by_registers": {
        "return 65536 // (registers * 32)": "rounding is missing",
        "return 512 // registers * 4": "rounding is missing",
        "return 2048 // (-(-registers // 8) * 8)": "half here, half there",
        "return 512 // (-(-registers // 8) * 8)": "one scheduler",
        "return 512 // (registers // 8 * 8) * 4": "wrong way",
        "return min(64, 512 // (-(-registers // 8) * 8) * 4)": "should give",
        "512 // registers": "return",
    },
    "mended_formula": {
        "return min(65536 // (registers * 32 * num_warps), (chip.shared_per_program // shared) if shared else 999)": "should give",
        "return min(65536 // (registers * 32 * num_warps), chip.shared_per_program // shared)": "division by zero",
        WHOLE.replace("    limits.append(chip.warps // num_warps)\n", ""): "warp slots",
        WHOLE.replace("    limits.append(chip.programs)\n", ""): "program slots",
        WHOLE.replace("up(registers, chip.register_granule)", "registers"): "register_granule",
        WHOLE.replace("shared + chip.shared_reserved", "shared"): "shared_reserved",
        WHOLE.replace("    if shared:\n        limits", "    if False:\n        limits"): "shared memory",
        WHOLE.replace("min(limits)", "max(limits[:3] + (limits[3:] or [10**6]))"): "smallest",
        WHOLE.replace("limits.append(chip.registers_per_lane", "(chip.registers_per_lane"): "the registers",
    },
    "programs_to_launch": {
        "return programs * multiprocessors": "more programs than rows",
        "return min(rows, programs * multiprocessors)": "At least 1",
        "return max(1, min(rows, programs))": "for one multiprocessor",
        "return max(1, min(rows, multiprocessors))": "not just one",
        "return max(1, min(rows, 32))": "should give",
        "return max(1, min(rows, (programs + 1) * multiprocessors))": "queue until",
        "return max(1, rows)": "queue until",
    },
    "cache_key": {
        "return triton.next_power_of_2(x.shape[1])": "not divisible by 16",
        "return (triton.next_power_of_2(x.shape[1]), x.shape[1] % 16 == 0)": "differ in size",
        "return (x.dtype, x.shape[1] % 16 == 0, triton.next_power_of_2(x.shape[1]))": "written into the kernel",
        "return (x.dtype, x.shape)": "Strides are arguments",
        "return (x.dtype, x.shape, x.stride(), y.stride())": "data_ptr",
        "return (x.dtype, x.shape, x.stride(), y.stride(), x.data_ptr() % 16, y.data_ptr() % 16)": "64 and 128 rows",
        "return (x.dtype, x.shape, x.stride(), y.stride(), x.data_ptr(), y.data_ptr())": "other memory",
        "n = (*x.shape, x.stride(0), y.stride(0))\nreturn (x.dtype, x.data_ptr() % 16, *[(k == 1, k % 16 == 0) for k in n])": "BLOCK_SIZE differs",
        "n = (*x.shape, x.stride(0), y.stride(0))\nreturn [x.dtype, x.data_ptr() % 16, *[(k == 1, k % 16 == 0) for k in n]]": "use a tuple",
        "n = (x.shape[1], x.stride(0), y.stride(0))\nreturn (x.dtype, x.shape[0] == 1, triton.next_power_of_2(n[0]), x.data_ptr() % 16, *[(k == 1, k % 16 == 0) for k in n])": "64 and 100 rows",
        key(of="n % 16 == 0"): "100 rows and 1 row",
        key(more="x.element_size(), x.data_ptr() % 16 == 0, y.data_ptr() % 16 == 0"): "float16 and bfloat16",
        key(
            "x.shape", more="x.dtype, x.is_contiguous(), x.data_ptr() % 16 == 0, y.data_ptr() % 16 == 0"
        ): "does not tell the stride",
        key("(x.stride(0), *x.shape)"): "stride of y",
        key("(x.stride(0), *x.shape)", more="x.dtype, x.data_ptr() % 16 == 0"): "stride of y",
        key(more="x.dtype, x.data_ptr() % 16 == 0"): "data_ptr() of y",
        "return x": "tensor in the key",
        "x.dtype, x.shape": "return",
    },
    "deepest_pipeline": {
        "return 4": "cannot be launched",
        "return 4 if 232448 > 200000 else 2": "cannot be launched",
        "return max(1, max((s for s in (1, 2, 3, 4) if s * block * itemsize + 32 <= 232448), default=0))": "One buffer too many",
        "return max(s for s in (1, 2, 3, 4) if (s - 1) * block + 32 <= 232448)": "itemsize bytes",
        "return max(s for s in (1, 2, 3, 4) if (s - 1) * block * 4 + 32 <= 232448)": "use itemsize",
        "return max((s for s in (2, 3, 4) if (s - 1) * block * itemsize + 32 <= 232448), default=0)": "still 1",
        "return min(4, 1 + 232448 // (block * itemsize)) if block < 1000 else 2": "should give",
    },
    "amd_programs": {
        "up = -(-registers // chip.register_granule) * chip.register_granule\nreturn chip.registers_per_lane // up * chip.schedulers // num_warps": "wave slots",
        "return min(chip.registers_per_lane // registers, chip.warps // chip.schedulers) * chip.schedulers // num_warps": "register_granule",
        "up = -(-registers // 8) * 8\nreturn min(chip.registers_per_lane // up, chip.warps // chip.schedulers) * chip.schedulers // num_warps": "twenty-fours",
        "up = -(-registers // chip.register_granule) * chip.register_granule\nreturn min(512 // up, chip.warps // chip.schedulers) * chip.schedulers // num_warps": "1536",
        "up = -(-registers // chip.register_granule) * chip.register_granule\nreturn min(chip.registers_per_lane // up, chip.warps // chip.schedulers) // num_warps": "one SIMD",
        "up = -(-registers // chip.register_granule) * chip.register_granule\nreturn min(chip.registers_per_lane // up, chip.warps // chip.schedulers) * chip.schedulers": "Those are waves",
        "return min(131072 // 64 // registers, 2048 // 64) // num_warps": "should give",
    },
}
