"""Plausible wrong answers to the exercises of 03_masked_row_kernel, and a word of what the check must say of each."""


def _kernel(
    name: str, body: str, arguments="y_ptr, x_ptr, y_stride, x_stride, n_cols, BLOCK_SIZE: tl.constexpr"
) -> str:
    lines = "\n".join(f"    {line}" for line in body.strip().splitlines())
    return f"@triton.jit\ndef {name}({arguments}):\n{lines}\n"


RIGHT = """
row = tl.program_id(0)
columns = tl.arange(0, BLOCK_SIZE)
mask = columns < n_cols
x = tl.load(x_ptr + row * x_stride + columns, mask=mask, other=-float("inf")).to(tl.float32)
numerator = tl.exp(x - tl.max(x, axis=0))
y = numerator / tl.sum(numerator, axis=0)
tl.store(y_ptr + row * y_stride + columns, y, mask=mask)
"""
LOG = RIGHT.replace(
    "numerator / tl.sum(numerator, axis=0)", "x - tl.max(x, axis=0) - tl.log(tl.sum(numerator, axis=0))"
)
CAUSAL = RIGHT.replace("mask=mask, other", "mask=mask & (columns <= row), other")
STRIDED = RIGHT.replace("row * x_stride + columns", "row * x_row_stride + columns * x_col_stride").replace(
    "row * y_stride + columns", "row * y_row_stride + columns * y_col_stride"
)
FOUR_STRIDES = "y_ptr, x_ptr, y_row_stride, y_col_stride, x_row_stride, x_col_stride, n_cols, BLOCK_SIZE: tl.constexpr"


def _variants(name: str, body: str, changes: dict[tuple[str, str], str], **more) -> dict[str, str]:
    """The right body with one thing changed, and what is said of it."""
    found = {}
    for (old, new), said in changes.items():
        assert old in body, old
        found[_kernel(name, body.replace(old, new), **more)] = said
    return found


WRONG = {
    "idle_share": {
        "return n_cols / triton.next_power_of_2(n_cols)": "share in use",
        "b = triton.next_power_of_2(n_cols)\nreturn (b - n_cols) / n_cols": "lanes of the block",
        "b = triton.next_power_of_2(n_cols)\nreturn 100 * (b - n_cols) / b": "percentage",
        "return triton.next_power_of_2(n_cols) - n_cols": "divide by all the lanes",
        "b = 2 ** n_cols.bit_length()\nreturn (b - n_cols) / b": "power of two itself",
        "b = 1024\nreturn (b - n_cols) / b": "should give",
    },
    "mended_kernel": _variants(
        "mended_kernel",
        RIGHT,
        {
            (', other=-float("inf")', ", other=0.0"): "spare lanes",
            (', other=-float("inf")', ""): "spare lanes",
            (', other=-float("inf")', ", other=-1.0"): "spare lanes",
            (', other=-float("inf")', ", other=-1e9"): "small enough",
            (
                "numerator / tl.sum(numerator, axis=0)",
                "tl.where(x == x, numerator / tl.sum(numerator, axis=0), 0.0)",
            ): "NaN",
            (', other=-float("inf")', ', other=float("inf")'): "",
            ("columns, y, mask=mask", "columns, y"): "store leaves",
            ('mask=mask, other=-float("inf")', ""): "load leaves",
            ("row * x_stride", "row * n_cols"): "own stride",
            ("row * y_stride", "row * n_cols"): "own stride",
            ("row * y_stride", "row * x_stride"): "own stride",
            ("mask = columns < n_cols", "mask = columns <= n_cols"): "leaves",
            ("x - tl.max(x, axis=0)", "x"): "overflows",
            ("numerator / tl.sum(numerator, axis=0)", "numerator"): "formula",
            ("tl.sum(numerator, axis=0)", "(tl.sum(numerator, axis=0) + 1e-6)"): "no small number",
        },
    ),
    "log_softmax_kernel": _variants(
        "log_softmax_kernel",
        LOG,
        {
            (
                "x - tl.max(x, axis=0) - tl.log(tl.sum(numerator, axis=0))",
                "tl.log(numerator / tl.sum(numerator, axis=0))",
            ): "underflow",
            (
                "x - tl.max(x, axis=0) - tl.log(tl.sum(numerator, axis=0))",
                "numerator / tl.sum(numerator, axis=0)",
            ): "logarithm is still missing",
            ("- tl.log(tl.sum(numerator, axis=0))", "- tl.log(tl.sum(numerator, axis=0)) - tl.max(x, axis=0)"): "twice",
            ("- tl.log(tl.sum(numerator, axis=0))", "- tl.sum(numerator, axis=0)"): "not the sum",
            (', other=-float("inf")', ", other=0.0"): "spare lanes",
            (', other=-float("inf")', ", other=-1e9"): "small enough",
            ("tl.exp(x - tl.max(x, axis=0))", "tl.exp(x)"): "twice",
            ("columns, y, mask=mask", "columns, y"): "store leaves",
            ("row * x_stride", "row * n_cols"): "own stride",
        },
    ),
    "causal_kernel": _variants(
        "causal_kernel",
        CAUSAL,
        {
            ("columns <= row", "columns < row"): "Row 0 became NaN",
            ("columns, y, mask=mask", "columns, y, mask=mask & (columns <= row)"): "later columns were not written",
            ("mask=mask & (columns <= row)", "mask=mask"): "still sees",
            ("columns <= row", "columns >= row"): "wrong way round",
            ("mask=mask & (columns <= row)", "mask=columns <= row"): "leaves",
            ('& (columns <= row), other=-float("inf")', "& (columns <= row), other=0.0"): "",
            (
                'mask & (columns <= row), other=-float("inf")).to(tl.float32)\nnumerator = tl.exp(x - tl.max(x, axis=0))\ny = numerator / tl.sum(numerator, axis=0)',
                'mask, other=-float("inf")).to(tl.float32)\nnumerator = tl.exp(x - tl.max(x, axis=0))\ny = tl.where(columns <= row, numerator / tl.sum(numerator, axis=0), 0.0)',
            ): "after normalising",
            ("columns, y, mask=mask", "columns, y"): "store leaves",
            (
                'mask & (columns <= row), other=-float("inf")).to(tl.float32)\nnumerator = tl.exp(x - tl.max(x, axis=0))',
                'mask, other=-float("inf")).to(tl.float32)\nnumerator = tl.where(columns <= row, tl.exp(x - tl.max(x, axis=0)), 0.0)',
            ): "scores to come are 200 higher",
        },
    ),
    "strided_kernel": _variants(
        "strided_kernel",
        STRIDED,
        {
            ("columns * x_col_stride", "columns"): "",
            ("row * x_row_stride + columns * x_col_stride", "row * x_col_stride + columns * x_row_stride"): "",
            ("columns * y_col_stride", "columns"): "",
            ("mask = columns < n_cols", "mask = columns * x_col_stride < n_cols"): "transposed input",
            (', other=-float("inf")', ", other=0.0"): "contiguous input",
            (', other=-float("inf")', ", other=-1e4"): "small enough",
            ("x - tl.max(x, axis=0)", "x"): "overflows",
            ("x - tl.max(x, axis=0)", "x - 5"): "It overflows",
            (
                "numerator / tl.sum(numerator, axis=0)",
                "tl.where(x == x, numerator / tl.sum(numerator, axis=0), 0.0)",
            ): "NaN",
            ("row * y_row_stride + columns * y_col_stride", "row * x_row_stride + columns * x_col_stride"): "",
        },
        arguments=FOUR_STRIDES,
    ),
}
