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
LOAD, STORE = ("load 越界", "load leaves"), ("store 越界", "store leaves")
NO_MAXIMUM = ("没有减最大值", "no maximum is subtracted")
UNMASKED = ("columns, y, mask=mask", "columns, y")

WRONG = {}
