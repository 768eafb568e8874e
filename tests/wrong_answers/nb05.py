"""Plausible wrong answers to the exercises of 05_occupancy_launcher: {exercise: {answer: what the check must say, zh and en}}."""

UP = "up = lambda a, g: -(-a // g) * g"
WHOLE = f"""def mended_formula(chip, registers, shared, num_warps):
    {UP}
    limits = []
    limits.append(chip.registers_per_lane // up(registers, chip.register_granule) * chip.schedulers // num_warps)
    limits.append(chip.warps // num_warps)
    limits.append(chip.programs)
    if shared:
        limits.append(chip.shared // up(shared + chip.shared_reserved, chip.shared_granule))
    return min(limits)
"""
NUMBERS = "(y.stride(0), x.stride(0), *x.shape)"
ASKED = "(n == 1, n % 16 == 0, n >= 2**31)"
TENSORS = "x.dtype, x.data_ptr() % 16 == 0, y.data_ptr() % 16 == 0"


def key(numbers=NUMBERS, of=ASKED, more=TENSORS, gather="*[{}]") -> str:
    """A key that is right but for what is given here."""
    return f"return ({more}, triton.next_power_of_2(x.shape[1]), {gather.format(f'{of} for n in {numbers}')})"


def without(what: str, instead: str = "") -> str:
    assert what in WHOLE, what
    return WHOLE.replace(what, instead)


def amd(waves="chip.registers_per_lane // up", slots="chip.warps // chip.schedulers", rest="* chip.schedulers // num_warps", up="chip.register_granule") -> str:  # fmt: skip
    return f"up = -(-registers // {up}) * {up}\nreturn min({waves}, {slots}) {rest}"


ONE = ("等于 1 的整数", "equals 1")
DIVISIBLE = ("16 只能整除其中一个", "16 divides only one")
WIDE = ("装不进", "does not")
WHICH = ("哪个参数", "which of the arguments")
NEITHER = ("两个都不能被 16 整除", "16 divides neither")
BOTH = ("两个都能被 16 整除", "16 divides both")

WRONG = {
    "mended_formula": {
        "return min(65536 // (registers * 32 * num_warps), (chip.shared_per_program // shared) if shared else 999)": (
            "应得",
            "should give",
        ),
        "return min(65536 // (registers * 32 * num_warps), chip.shared_per_program // shared)": (
            "除以了 0",
            "division by zero",
        ),
        without("    limits.append(chip.warps // num_warps)\n"): ("chip.warps 个 warp", "chip.warps warps"),
        without("    limits.append(chip.programs)\n"): ("chip.programs 个", "chip.programs programs"),
        without("up(registers, chip.register_granule)", "registers"): (
            "chip.register_granule 的倍数",
            "chip.register_granule",
        ),
        without("shared + chip.shared_reserved", "shared"): ("chip.shared_reserved 字节", "chip.shared_reserved bytes"),
        without("up(shared + chip.shared_reserved, chip.shared_granule)", "(shared + chip.shared_reserved)"): (
            "chip.shared_granule 的倍数",
            "multiple of chip.shared_granule",
        ),
        without(
            "up(shared + chip.shared_reserved, chip.shared_granule)",
            "(up(shared, chip.shared_granule) + chip.shared_reserved)",
        ): (
            "先加上，再取整",
            "added first",
        ),
        without("    if shared:\n        limits", "    if False:\n        limits"): (
            "限制：共享内存",
            "missing: the shared memory",
        ),
        without("min(limits)", "max(limits)"): ("取最小的", "smallest"),
        without("limits.append(chip.registers_per_lane", "(chip.registers_per_lane"): (
            "限制：寄存器",
            "missing: the registers",
        ),
        without("min(limits)", "max(1, min(limits))"): ("不是 1", "not 1"),
        without("chip.registers_per_lane", "512"): ("看 chip.registers_per_lane", "see chip.registers_per_lane"),
        without("* chip.schedulers", "* 4"): ("看 chip.schedulers", "see chip.schedulers"),
        without("chip.register_granule", "8"): ("看 chip.register_granule", "see chip.register_granule"),
        without("chip.shared_reserved", "1024"): ("看 chip.shared_reserved", "see chip.shared_reserved"),
        without("chip.shared_granule", "128"): ("看 chip.shared_granule", "see chip.shared_granule"),
        without(
            "chip.registers_per_lane // up(registers, chip.register_granule) * chip.schedulers",
            "chip.registers_per_lane * chip.schedulers // up(registers, chip.register_granule)",
        ): ("一半在那里", "half there"),
        without(" * chip.schedulers"): ("一个调度器", "one scheduler"),
    },
    "cache_key": {
        "return triton.next_power_of_2(x.shape[1])": DIVISIBLE,
        "return (triton.next_power_of_2(x.shape[1]), x.shape[1] % 16 == 0)": ("类型不同", "different types"),
        "return (x.dtype, x.shape[1] % 16 == 0, triton.next_power_of_2(x.shape[1]))": ONE,
        "return (x.dtype, x.shape)": ("x 的行步幅 69", "row stride 69 in x"),
        "return (x.dtype, x.shape, x.stride(), y.stride())": ("起始地址", "address of only one"),
        "return (x.dtype, x.shape, x.stride(), y.stride(), x.data_ptr() % 16, y.data_ptr() % 16)": BOTH,
        "return (x.dtype, x.shape, x.stride(), y.stride(), x.data_ptr(), y.data_ptr())": ("地址本身", "address itself"),
        key().replace("triton.next_power_of_2(x.shape[1]), ", ""): ("BLOCK_SIZE 不同", "BLOCK_SIZE differs"),
        key().replace("return (", "return [")[:-1] + "]": ("用元组", "use a tuple"),
        key("(x.shape[1], x.stride(0), y.stride(0))"): ("32 行 64 列", "32×64"),
        key(of="(n % 16 == 0, n >= 2**31)"): ONE,
        key(of="(n == 1, n >= 2**31)"): DIVISIBLE,
        key(of="(n == 1, n % 16 == 0)"): WIDE,
        key(of="(n == 1, n % 16 == 0, n >= 2**32)"): WIDE,
        key(of="(n == 1, n % 16 == 0, n > 2**31)"): WIDE,
        key(of="(n == 1, n % 16, n >= 2**31)"): NEITHER,
        key(of="(n == 1, math.gcd(n, 16), n >= 2**31)"): NEITHER,
        key(of="n.bit_length()"): DIVISIBLE,
        key(of="(n == 1, n % 16 == 0, n)"): BOTH,
        key(of="n % 16 == 0 and n != 1", gather="all({})"): ONE,
        key(of=ASKED, gather="tuple(sum(flags) for flags in zip(*({})))"): WHICH,
        key(of=ASKED, gather="frozenset({})"): ONE,
        key(of=ASKED, gather="tuple(sorted({}))"): WHICH,
        key(more="x.dtype, (x.data_ptr() % 16 == 0) + (y.data_ptr() % 16 == 0)"): WHICH,
        key(more="x.dtype, x.data_ptr() % 16, y.data_ptr() % 16"): ("地址本身", "address itself"),
        key(more="x.element_size(), x.data_ptr() % 16 == 0, y.data_ptr() % 16 == 0"): ("类型不同", "different types"),
        key(more=f"{TENSORS}, x.is_contiguous()"): ("紧不紧挨着", "packed"),
        key("x.shape", more=f"x.is_contiguous(), {TENSORS}"): ("80", "80"),
        key("(x.stride(0), *x.shape)"): ("y 的行步幅", "in y"),
        key(more="x.dtype, x.data_ptr() % 16 == 0"): ("y 错开", "y off by"),
        "return x": ("键里有张量", "tensor in the key"),
        "return (x.dtype, (x,))": ("键里有张量", "tensor in the key"),
        "import random\nreturn random.random()": ("同一次启动", "about one launch"),
        "x.dtype, x.shape": ("return", "return"),
    },
    "amd_programs": {
        amd(slots="10**6"): ("最多驻留的 wave", "waves at most are resident"),
        amd("chip.registers_per_lane // registers"): (
            "chip.register_granule 的倍数",
            "multiple of chip.register_granule",
        ),
        amd(up="8"): ("看 chip.register_granule", "see chip.register_granule"),
        amd("512 // up"): ("看 chip.registers_per_lane", "see chip.registers_per_lane"),
        amd(rest="// num_warps"): ("一个 SIMD 上的", "on one SIMD"),
        amd(rest="* chip.schedulers"): ("这是 wave 数", "Those are waves"),
        amd(slots="chip.warps"): ("不是一个 SIMD 的", "not for one SIMD"),
        amd(rest="// num_warps * chip.schedulers"): ("不够一个 program", "too few for a program"),
        amd("chip.registers_per_lane * chip.schedulers // up", "chip.warps", "// num_warps"): (
            "同一个 SIMD 里",
            "registers on one SIMD",
        ),
        amd(slots="chip.warps // 4", rest="* 4 // num_warps"): ("不总是 4 个", "not always 4 schedulers"),
        "return min(131072 // 64 // registers, 2048 // 64) // num_warps": ("应得", "should give"),
    },
}
