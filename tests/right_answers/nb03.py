"""Right answers to the exercises of 03_masked_row_kernel, written otherwise: {exercise: [answer, ...]}."""

from wrong_answers.nb03 import CAUSAL, LOG, NORM, kernel

WEIGHTS = "numerator = tl.exp(x - tl.max(x, axis=0))\ny = numerator / tl.sum(numerator, axis=0)"
LSE = "top = tl.max(x, axis=0)\nlse = top + tl.log(tl.sum(tl.exp(x - top), axis=0))\ny = tl.exp(x - lse)"
POINTERS = """
row = tl.program_id(0).to(tl.int64)
x_ptr += row * x_stride
y_ptr += row * y_stride
columns = tl.arange(0, BLOCK_SIZE)
x = tl.load(x_ptr + columns, mask=columns < n_cols, other=float("-inf"))
x = x.to(tl.float32)
x -= tl.max(x, 0)
e = tl.exp(x)
tl.store(y_ptr + columns, e / tl.sum(e, 0), mask=columns < n_cols)
"""
HIDDEN_LATER = CAUSAL.replace("mask=mask & (columns <= row), other", "mask=mask, other").replace(
    "numerator = ", 'x = tl.where(columns <= row, x, -float("inf"))\nnumerator = '
)
CAUSAL_STORE = "tl.store(y_ptr + row * y_stride + columns, y, mask=mask)"

RIGHT = {
    "log_softmax_kernel": [
        kernel("log_softmax_kernel", LOG.replace("x - tl.max(x, axis=0) - tl.log(tl.sum(numerator, axis=0))", log))
        for log in (
            "x - (tl.max(x, axis=0) + tl.log(tl.sum(numerator, axis=0)))",
            "x - tl.max(x, axis=0) - tl.log2(tl.sum(numerator, axis=0)) * 0.6931471805599453",
            "-(tl.log(tl.sum(numerator, axis=0)) + tl.max(x, axis=0) - x)",
        )
    ]
    + [kernel("log_softmax_kernel", LOG.replace("tl.float32", "tl.float64"))],
    "causal_kernel": [
        kernel("causal_kernel", HIDDEN_LATER),
        kernel("causal_kernel", CAUSAL.replace(WEIGHTS, LSE)),
        kernel(
            "causal_kernel",
            CAUSAL.replace(
                CAUSAL_STORE,
                CAUSAL_STORE.replace("mask=mask", "mask=mask & (columns <= row)")
                + "\ntl.store(y_ptr + row * y_stride + columns, 0.0, mask=(columns > row) & mask)",
            ),
        ),
        kernel(
            "causal_kernel",
            CAUSAL.replace(CAUSAL_STORE, CAUSAL_STORE.replace("y, ", "tl.where(columns <= row, y, 0.0), ")),
        ),
        kernel(
            "causal_kernel",
            CAUSAL.replace("mask & (columns <= row)", "columns < tl.minimum(row + 1, n_cols)"),
        ),
    ],
    "layer_norm_kernel": [
        kernel(
            "layer_norm_kernel",
            NORM.replace("centred / tl.sqrt(variance + 1e-5)", "centred * tl.rsqrt(variance + 1e-5)"),
        ),
        kernel(
            "layer_norm_kernel",
            NORM.replace("mask=mask, other=0.0", 'mask=mask, other=float("nan")').replace(
                "mean = ", "x = tl.where(mask, x, 0.0)\nmean = "
            ),
        ),
        kernel(
            "layer_norm_kernel",
            NORM.replace("tl.where(mask, x - mean, 0.0)", "(x - mean) * mask").replace("/ n_cols", "* (1.0 / n_cols)"),
        ),
        kernel(
            "layer_norm_kernel",
            NORM.replace("centred = tl.where(mask, x - mean, 0.0)", "centred = x - mean").replace(
                "tl.sum(centred * centred, axis=0)", "tl.sum(tl.where(mask, centred * centred, 0.0), axis=0)"
            ),
        ),
    ],
}
