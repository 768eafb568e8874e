"""Plausible wrong answers to the exercises of A2_compiled_kernels_and_launches: {exercise: {answer: what the check must say, zh and en}}."""

NUMBERS = "(y.stride(0), x.stride(0), *x.shape)"
ASKED = "(n == 1, n % 16 == 0, n >= 2**31)"
TENSORS = "x.dtype, x.data_ptr() % 16 == 0, y.data_ptr() % 16 == 0"


def key(numbers=NUMBERS, of=ASKED, more=TENSORS, gather="*[{}]") -> str:
    """A key that is right but for what is given here."""
    return f"return ({more}, triton.next_power_of_2(x.shape[1]), {gather.format(f'{of} for n in {numbers}')})"


ONE = ("等于 1 的整数", "equals 1")
DIVISIBLE = ("16 只能整除其中一个", "16 divides only one")
WIDE = ("装不进", "does not")
WHICH = ("哪个参数", "which of the arguments")
NEITHER = ("两个都不能被 16 整除", "16 divides neither")
BOTH = ("两个都能被 16 整除", "16 divides both")


def at_once(aligned="columns % 16 == 0 and address % 16 == 0", wide="16 // itemsize", result="min({}, each)") -> str:
    """An answer to elements_at_once that is right but for what is given here."""
    return f"return {result.format(wide)} if {aligned} else 1"


def rows(bytes_moved="microseconds * gigabytes * 1e3", row="2 * columns * itemsize", rounded="math.ceil({})") -> str:
    """An answer to enough_rows that is right but for what is given here."""
    return "return " + rounded.format(f"{bytes_moved} / ({row})")


WRONG = {
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
}
