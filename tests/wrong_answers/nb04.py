"""Plausible wrong answers to the exercises of 04_grid_stride_kernel: {exercise: {answer: what the check must say, zh and en}}."""

from .nb03 import UNDEFINED

ROW = """
x = tl.load(x_ptr + row * x_stride + columns, mask=mask, other=-float("inf")).to(tl.float32)
numerator = tl.exp(x - tl.max(x, axis=0))
y = numerator / tl.sum(numerator, axis=0)
tl.store(y_ptr + row * y_stride + columns, y, mask=mask)
"""


def kernel(name: str, start: str, loop: str, row: str = ROW) -> str:
    """A kernel from what stands before its loop, the loop's head, and what the loop does."""
    head = f"@triton.jit\ndef {name}(y_ptr, x_ptr, y_stride, x_stride, n_rows, n_cols, BLOCK_SIZE: tl.constexpr):\n"
    lines = [*start.strip().splitlines(), "columns = tl.arange(0, BLOCK_SIZE)", "mask = columns < n_cols", loop]
    inside = row.strip().splitlines()
    return head + "".join(f"    {line}\n" for line in lines) + "".join(f"        {line}\n" for line in inside)


def chunk(size: str, loop="for row in tl.range(first, tl.minimum(first + chunk, n_rows)):", row=ROW) -> str:
    return kernel("chunk_kernel", f"chunk = {size}\nfirst = tl.program_id(0).to(tl.int64) * chunk", loop, row)


def mended(start: str, loop: str, row: str = ROW) -> str:
    return kernel("mended_kernel", start, loop, row)


CEILING = "tl.cdiv(n_rows, tl.num_programs(0))"
WIDE = "row_start = tl.program_id(0).to(tl.int64)\nrow_step = tl.num_programs(0)"
STRIDED = "for row in tl.range(row_start, n_rows, row_step):"
OF_A_PROGRAM = "tl.range(tl.program_id(0), n_rows, tl.num_programs(0))"


def wide_row(*matrices: str) -> str:
    """What the loop does, with the row number widened for these."""
    row = ROW
    for matrix in matrices:
        row = row.replace(f"row * {matrix}_stride", f"row.to(tl.int64) * {matrix}_stride")
    return row


TAIL = "tail = programs % fits\n"
BLOCK = "block = triton.next_power_of_2(n_cols)\n"
NARROW = "row_start = tl.program_id(0)\nrow_step = tl.num_programs(0)"
NOBODY, TWICE, BEYOND = ("没有人做", "nobody did"), ("遍", "times"), ("截到 n_rows", "end at n_rows")
INT32 = ("仍按 int32 算", "computed in int32")


def counting(bound: str) -> tuple[str, str]:
    return f"for k in tl.range(0, {bound}):", "row = row_start + k * row_step\n" + ROW.strip()


def flawed(old: str, new: str) -> str:
    """What the loop does, with something replaced."""
    assert old in ROW, old
    return ROW.replace(old, new)


def both_kernels(make) -> dict:
    """Flaws in what the loop does, whichever the loop is."""
    return {
        make(flawed("x - tl.max(x, axis=0)", "x")): ("没有减最大值", "no maximum is subtracted"),
        make(flawed("y, mask=mask", "y")): ("store 越界", "store leaves"),
        make(flawed(', mask=mask, other=-float("inf")', "")): ("load 越界", "load leaves"),
        make(flawed('-float("inf")', "0.0")): ("多余的元素是 0", "elements are 0"),
        make(flawed("numerator / tl.sum(numerator, axis=0)", "numerator")): ("没有除以", "did not divide"),
        make(flawed("row * x_stride", "row * n_cols")): ("读输入时，你按列数换行", "through the input by n_cols"),
        make(flawed("tl.sum(numerator, axis=0)", "tl.sum(numerator, axis=0) + 1")): (
            "8 行 8 列",
            "8 rows, 8 columns: row 0",
        ),
    }


BIAS = "bias = tl.load(bias_ptr + columns, mask=mask, other=0.0)"


def biased(row: str, loop=STRIDED, start=WIDE, bias=BIAS) -> str:
    """The kernel with a bias, loaded before the loop."""
    whole = kernel("biased_kernel", start, loop, row).replace("x_ptr, y_stride", "x_ptr, bias_ptr, y_stride")
    return whole.replace(f"    {loop}", f"    {bias}\n    {loop}") if bias else whole


def in_the_row(old: str, new: str, row: str) -> str:
    assert old in row, old
    return row.replace(old, new)


BIASED = ROW.replace(".to(tl.float32)", ".to(tl.float32) + bias")
QUOTIENT = "numerator / tl.sum(numerator, axis=0)"

WRONG = {
    "tail_time": {
        f"{TAIL}return ((programs - tail) * ms[fits] + tail * ms[tail]) / programs": (
            "没有尾部要查",
            "no tail to look up",
        ),
        f"{TAIL}return (programs - tail) / programs * ms[fits]": ("尾部没有算", "The tail is missing"),
        f"{TAIL}return fits / programs * ms[fits] + (tail / programs * ms[tail] if tail else 0)": (
            "整波不止一个",
            "several full waves",
        ),
        f"{TAIL}return (programs - tail) / programs * ms[fits] + (tail / fits * ms[tail] if tail else 0)": (
            "不是 fits 的",
            "not out of fits",
        ),
        f"{TAIL}return (programs - tail) / programs * ms[fits] + (ms[tail] if tail else 0)": (
            "各乘上自己的份额",
            "each by its share",
        ),
        f"{TAIL}return (programs - tail) // programs * ms[fits] + (tail / programs * ms[tail] if tail else 0)": (
            "整除",
            "whole division",
        ),
        "return -(-programs // fits) * fits / programs * ms[fits]": ("数波次", "counts waves"),
        "return ms[fits]": ("数字节", "counts bytes"),
        f"{TAIL}return ms[fits] + (ms[tail] if tail else 0)": ("各乘上自己的份额", "each by its share"),
        f"{TAIL}if not tail:\n    return ms[fits]\nreturn (tail * ms[fits] + (programs - tail) * ms[tail]) / programs": (
            "份额放反了",
            "two shares are exchanged",
        ),
        f"{TAIL}return ((programs - tail) * ms[fits] + (tail and tail * ms[1])) / programs": (
            "剩几个",
            "as many as are left",
        ),
        f"{TAIL}return ((programs - tail) * ms[fits] + (tail and tail * ms[tail])) / programs / 1000": (
            "毫秒",
            "Milliseconds",
        ),
        "return (fits * ms[fits] + (programs - fits) * ms[programs - fits]) / programs": (
            "做完所有整波",
            "after all the full waves",
        ),
        "return ms[programs % fits]": ("没有尾部要查", "no tail to look up"),
        f"{TAIL}return max(ms[fits], ms[tail] if tail else 0)": ("应得", "should give"),
    },
    "mended_kernel": {
        mended("", f"for row in {OF_A_PROGRAM}:"): INT32,
        mended("", f"for row in {OF_A_PROGRAM[3:]}:"): INT32,
        mended("", f"for row in {OF_A_PROGRAM}:", wide_row("x")): ("输出的行步幅", "in the output"),
        mended(NARROW, STRIDED): INT32,
        mended(WIDE, *counting("n_rows // row_step")): NOBODY,
        mended(WIDE.replace("tl.num_programs(0)", "4"), STRIDED): NOBODY,
        mended(WIDE, *counting("tl.cdiv(n_rows, row_step)")): BEYOND,
        mended(NARROW, STRIDED, flawed("row * x_stride", "tl.cast(row, tl.int64) * x_stride")): (
            "输出的行步幅",
            "in the output",
        ),
        mended(NARROW, STRIDED, flawed("row * x_stride", "tl.cast(row * x_stride, tl.int64)")): (
            "输入的行步幅",
            "in the input",
        ),
        mended(WIDE, "for row in tl.range(row_start, n_rows):"): TWICE,
    }
    | both_kernels(lambda row: mended(WIDE, STRIDED, row)),
    "most_stages": {
        f"{BLOCK}return (limit - 32) // (block * itemsize) + 2": ("多了一级", "One stage too many"),
        f"{BLOCK}return (limit + 32) // (block * itemsize) + 1": ("是减去", "you added them"),
        f"{BLOCK}return (limit - 256) // (block * itemsize) + 1": ("一共只用 32 字节", "32 bytes in all"),
        f"{BLOCK}return limit - 32 // (block * itemsize) + 1": ("要加括号", "use brackets"),
        f"{BLOCK}return min(4, (limit - 32) // (block * itemsize) + 1)": ("不止 4 级", "more than 4"),
        "return (limit - 32) // (itemsize << n_cols.bit_length()) + 1": ("不用再翻倍", "don't double"),
        "return 4 if limit > 200000 else 2": ("教程的规则", "rule of the tutorial"),
        f"{BLOCK}return -(-(limit - 32) // (block * itemsize)) + 1": ("半级不算", "half a stage"),
        f"{BLOCK}return max(1, (limit - 32) // (block * itemsize))": ("少一行", "one row fewer"),
        "return (limit - 32) // (n_cols * itemsize) + 1": ("整个块", "whole block"),
        f"{BLOCK}return limit // (block * itemsize) + 1": ("归约用的共享内存", "shared memory of the reductions"),
        f"{BLOCK}return (limit - 8 * itemsize) // (block * itemsize) + 1": ("不管 itemsize", "whatever itemsize"),
        f"{BLOCK}return (limit - 32) // (block * 4) + 1": ("不总是 4", "not always 4"),
        f"{BLOCK}return (limit - 32) / (block * itemsize) + 1": ("整数", "whole"),
        f"{BLOCK}return (limit - 32) // (block * itemsize)": ("少一行", "one row fewer"),
        f"{BLOCK}return max(2, (limit - 32) // (block * itemsize) + 1)": ("还有 1 级", "still 1"),
        "return 5": ("应得", "should give"),
    },
    "biased_kernel": {
        biased(f"{BIAS}\n{BIASED.strip()}", bias=""): ("放到循环外面", "before the loop"),
        biased(BIASED + "z = tl.load(x_ptr + row * x_stride + columns, mask=mask)"): (
            "一行只读一遍",
            "read each row once",
        ),
        biased(ROW): ("没有用上", "not used"),
        biased(in_the_row("+ bias", "- bias", BIASED)): ("你减去了它", "you subtracted"),
        biased(in_the_row("+ bias", "* bias", BIASED)): ("不是乘上去", "not multiplied"),
        biased(in_the_row(QUOTIENT, f"{QUOTIENT} + bias", ROW)): ("加到了概率上", "to the probabilities"),
        biased(in_the_row(QUOTIENT, "tl.exp(x + bias - tl.max(x, axis=0)) / tl.sum(numerator, axis=0)", ROW)): (
            "分母里没有",
            "not in the denominator",
        ),
        biased(in_the_row("x - tl.max(x, axis=0))", "x - tl.max(x, axis=0)) + bias", ROW)): (
            "加到了分数的 exp 上",
            "to their exponentials",
        ),
        biased(in_the_row("x - tl.max(x, axis=0)", "x", BIASED)): ("没有减最大值", "no maximum is subtracted"),
        biased(in_the_row('-float("inf")', "0.0", BIASED)): ("多余的元素是 0", "elements are 0"),
        biased(in_the_row("y, mask=mask", "y", BIASED)): ("store 越界", "store leaves"),
        biased(in_the_row("row * x_stride", "row * n_cols", BIASED)): (
            "读输入时，你按列数换行",
            "through the input by n_cols",
        ),
        biased(BIASED, bias=BIAS.replace(", other=0.0", "")): UNDEFINED,
        biased(BIASED, start=NARROW): INT32,
        biased(BIASED, loop="for row in tl.range(row_start, n_rows):"): TWICE,
        biased(BIASED, start=WIDE.replace("tl.num_programs(0)", "8")): NOBODY,
        biased(BIASED, loop="for row in tl.range(0, tl.where(row_start == 0, n_rows, 0)):"): (
            "不该超过",
            "none should do more",
        ),
    },
}
