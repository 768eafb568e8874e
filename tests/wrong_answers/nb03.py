"""Plausible wrong answers to the exercises of 03_masked_row_kernel: {exercise: {answer: what the check must say, zh and en}}."""

TWO_STRIDES = "y_ptr, x_ptr, y_stride, x_stride, n_cols, BLOCK_SIZE: tl.constexpr"
RIGHT_ROW = """
row = tl.program_id(0)
columns = tl.arange(0, BLOCK_SIZE)
mask = columns < n_cols
x = tl.load(x_ptr + row * x_stride + columns, mask=mask, other=-float("inf")).to(tl.float32)
numerator = tl.exp(x - tl.max(x, axis=0))
y = numerator / tl.sum(numerator, axis=0)
tl.store(y_ptr + row * y_stride + columns, y, mask=mask)
"""
QUOTIENT = "numerator / tl.sum(numerator, axis=0)"
LOGARITHM = "x - tl.max(x, axis=0) - tl.log(tl.sum(numerator, axis=0))"
LOG = RIGHT_ROW.replace(QUOTIENT, LOGARITHM)
SEEN = "mask=mask & (columns <= row), other"
CAUSAL = RIGHT_ROW.replace("mask=mask, other", SEEN)
NORM = """
row = tl.program_id(0)
columns = tl.arange(0, BLOCK_SIZE)
mask = columns < n_cols
x = tl.load(x_ptr + row * x_stride + columns, mask=mask, other=0.0).to(tl.float32)
mean = tl.sum(x, axis=0) / n_cols
centred = tl.where(mask, x - mean, 0.0)
variance = tl.sum(centred * centred, axis=0) / n_cols
y = centred / tl.sqrt(variance + 1e-5)
tl.store(y_ptr + row * y_stride + columns, y, mask=mask)
"""


def kernel(name: str, body: str, arguments: str = TWO_STRIDES) -> str:
    lines = "\n".join(f"    {line}" for line in body.strip().splitlines())
    return f"@triton.jit\ndef {name}({arguments}):\n{lines}\n"


def variants(name: str, body: str, changes: dict, arguments: str = TWO_STRIDES) -> dict:
    """The right body with some things changed, and what is said of it. A change is old and new, in turn."""
    found = {}
    for change, said in changes.items():
        changed = body
        for old, new in zip(change[::2], change[1::2]):
            assert old in changed, old
            changed = changed.replace(old, new)
        found[kernel(name, changed, arguments)] = said
    return found


INF = ', other=-float("inf")'
PADDED = ("多余的元素是 0", "elements are 0")
UNDEFINED = ("有 mask 而没有 other", "mask and no other")
TOO_HIGH = ("还不够小", "not low enough")
LOAD, STORE = ("load 越界", "load leaves"), ("store 越界", "store leaves")
NO_MAXIMUM = ("没有减最大值", "no maximum is subtracted")
STEP_X, STEP_Y = (
    ("读输入时，你按列数换行", "through the input by n_cols"),
    ("写输出时，你按列数", "through the output by n_cols"),
)
UNMASKED = ("columns, y, mask=mask", "columns, y")

WRONG = {
    "log_softmax_kernel": variants(
        "log_softmax_kernel",
        LOG,
        {
            (LOGARITHM, f"tl.log({QUOTIENT})"): ("先算出 softmax", "comes after softmax"),
            (LOGARITHM, QUOTIENT): ("还差一个对数", "logarithm is still missing"),
            (LOGARITHM, f"{LOGARITHM} - tl.max(x, axis=0)"): ("减了两次", "twice"),
            ("- tl.log(tl.sum(numerator, axis=0))", "- tl.sum(numerator, axis=0)"): ("不是和本身", "not the sum"),
            (LOGARITHM, "x - tl.log(tl.sum(numerator, axis=0))"): ("差了一个最大值", "differ by it"),
            (LOGARITHM, "x - tl.log(tl.sum(tl.exp(x), axis=0))"): NO_MAXIMUM,
            ("- tl.log", "+ tl.log"): ("你加上了它", "you added it"),
            ("tl.log(", "tl.log2("): ("以 e 为底", "base e"),
            (LOGARITHM, f"-({LOGARITHM})"): ("正负号反了", "sign is wrong"),
            (LOGARITHM, "tl.log(tl.exp(x) / tl.sum(tl.exp(x), axis=0))"): ("先算商", "after the quotient"),
            (INF, ", other=0.0"): PADDED,
            (INF, ", other=-1e9"): TOO_HIGH,
            UNMASKED: STORE,
            ("row * x_stride", "row * n_cols"): STEP_X,
            ("tl.exp(x - tl.max(x, axis=0))", "tl.exp(x)"): ("应是", "should be"),
            ("tl.exp(x - tl.max(x, axis=0))", "x - tl.max(x, axis=0)"): ("没有取 exp", "exp is missing"),
            (LOGARITHM, f"tl.log({QUOTIENT} + 1e-9)"): ("躲开了 −inf", "avoids −inf"),
        },
    ),
    "causal_kernel": variants(
        "causal_kernel",
        CAUSAL,
        {
            ("columns <= row", "columns < row"): ("第 0 行一列也没有", "row 0 has no column"),
            ("columns <= row", "columns <= row + 1"): ("多看了一列", "one column too many"),
            ("columns, y, mask=mask", "columns, y, mask=mask & (columns <= row)"): ("后面的列没有写", "not written"),
            (SEEN, "mask=mask, other"): ("普通的 softmax", "plain softmax"),
            ("columns <= row", "columns >= row"): ("方向反了", "wrong way round"),
            (SEEN, "mask=columns <= row, other"): ("列数仍是界限", "n_cols still is"),
            (f"(columns <= row){INF}", "(columns <= row), other=0.0"): (
                "遮住的分数填成了 0",
                "Hidden scores are filled with 0",
            ),
            (f"(columns <= row){INF}", "(columns <= row), other=-1e9"): ("占了上风", "it wins"),
            (SEEN, "mask=mask, other", "numerator = ", "x = tl.where(columns <= row, x, 0.0)\nnumerator = "): (
                "遮住的分数填成了 0",
                "Hidden scores are filled with 0",
            ),
            (SEEN, "mask=mask, other", QUOTIENT, f"tl.where(columns <= row, {QUOTIENT}, 0.0)"): (
                "先归一化",
                "after normalising",
            ),
            UNMASKED: STORE,
            (SEEN, "mask=mask, other", "numerator = ", "x = x + tl.where(columns <= row, 0.0, -1e2)\nnumerator = "): (
                "占了上风",
                "it wins",
            ),
            (
                SEEN,
                "mask=mask, other",
                "tl.exp(x - tl.max(x, axis=0))",
                "tl.where(columns <= row, tl.exp(x - tl.max(x, axis=0)), 0.0)",
            ): (
                "最大值也只能",
                "The maximum, too",
            ),
            ("x - tl.max(x, axis=0)", "x"): NO_MAXIMUM,
            ("row * x_stride", "row * n_cols"): STEP_X,
            (QUOTIENT, LOGARITHM): ("softmax 的对数", "logarithm of softmax"),
        },
    ),
    "layer_norm_kernel": variants(
        "layer_norm_kernel",
        NORM,
        {
            ("tl.where(mask, x - mean, 0.0)", "x - mean"): ("再遮一次", "mask again"),
            ("/ n_cols", "/ BLOCK_SIZE"): ("你除以了块的大小", "divided by the block's size"),
            ("/ n_cols", "/ BLOCK_SIZE", "tl.where(mask, x - mean, 0.0)", "x - mean"): (
                "除以了块的大小；多余的",
                "the block's size; and the spare",
            ),
            ("other=0.0", 'other=-float("inf")'): ("填了 −inf", "are −inf"),
            (" + 1e-5", ""): ("0 ÷ 0", "0 ÷ 0"),
            ("tl.sqrt(variance + 1e-5)", "(tl.sqrt(variance) + 1e-5)"): ("根号里面", "under the root"),
            ("tl.sqrt(variance + 1e-5)", "(variance + 1e-5)"): ("不是方差", "not by the variance"),
            ("axis=0) / n_cols\ny", "axis=0) / (n_cols - 1)\ny"): ("列数减 1", "n_cols − 1"),
            ("tl.sum(centred * centred, axis=0) / n_cols", "tl.sum(x * x, axis=0) / n_cols - mean * mean"): (
                "先减平均值",
                "Subtract the mean first",
            ),
            ("tl.sum(centred * centred, axis=0) / n_cols", "tl.sum(centred * centred, axis=0)"): (
                "和还要除以列数",
                "still to be divided",
            ),
            ("centred * centred", "tl.abs(centred)"): ("差的绝对值", "absolute values"),
            (".to(tl.float32)", ""): ("先变成 float32", "float32 before you compute"),
            ("y = centred", "y = x"): ("分子还没有减", "not subtracted above"),
            ("x - mean, 0.0", "x, 0.0"): ("RMS", "RMS"),
            ("y = centred / tl.sqrt(variance + 1e-5)", "y = centred"): ("标准差", "standard deviation"),
            ("row * x_stride", "row * n_cols"): STEP_X,
            (UNMASKED[0], UNMASKED[1]): STORE,
            ("mask=mask, other=0.0", ""): LOAD,
            ("mask=mask, other=0.0", "mask=mask"): UNDEFINED,
        },
    ),
}
