"""Right answers to the exercises of 10_training, written otherwise than the notebook writes them."""

from wrong_answers.nb03 import kernel
from wrong_answers.nb10 import (
    IN_PLACE,
    IN_PLACE_ARGUMENTS,
    LOSS,
    LOSS_ARGUMENTS,
    WIDE,
    WIDE_ARGUMENTS,
)

RIGHT = {
    "wide_backward_kernel": [
        kernel("wide_backward_kernel", each, WIDE_ARGUMENTS)
        for each in (
            WIDE,
            WIDE.replace("s = 0.0", "sums = tl.zeros((BLOCK_SIZE,), dtype=tl.float32)")
            .replace("s += tl.sum(y * dy, axis=0)", "sums += y * dy")
            .replace("y * (dy - s)", "y * (dy - tl.sum(sums, axis=0))"),
            WIDE.replace("y * (dy - s)", "y * dy - y * s").replace("in range", "in tl.range"),
            WIDE.replace("program_id(0)", "program_id(0).to(tl.int64)"),
        )
    ],
    "one_pass_loss_kernel": [
        kernel("one_pass_loss_kernel", each, LOSS_ARGUMENTS)
        for each in (
            LOSS,
            LOSS.replace("m + tl.log(s) - x_target", "tl.log(s) - (x_target - m)"),  # more exact than m + log s
            LOSS.replace("m + tl.log(s) - x_target", "-((x_target - m) - tl.log(s))"),
            LOSS.replace("s = 0.0\n", "s = 0.0\nx_target = 0.0\n")
            .replace("    m_new", "    x_target += tl.sum(tl.where(columns == target, x, 0.0), axis=0)\n    m_new")
            .replace("x_target = tl.load(x_ptr + row * x_stride + target).to(tl.float32)\n", ""),
            """row = tl.program_id(0).to(tl.int64)
lanes = tl.arange(0, BLOCK_SIZE)
m = tl.full((BLOCK_SIZE,), -1e30, tl.float32)
s = tl.zeros((BLOCK_SIZE,), tl.float32)
for start in range(0, n_cols, BLOCK_SIZE):
    x = tl.load(x_ptr + row * x_stride + start + lanes, mask=start + lanes < n_cols, other=-float("inf")).to(tl.float32)
    m_new = tl.maximum(m, x)
    s = s * tl.exp(m - m_new) + tl.exp(x - m_new)
    m = m_new
m_row = tl.max(m, axis=0)
lse = m_row + tl.log(tl.sum(s * tl.exp(m - m_row), axis=0))
tl.store(loss_ptr + row, lse - tl.load(x_ptr + row * x_stride + tl.load(target_ptr + row)))
""",
        )
    ],
    "in_place_gradient_kernel": [
        kernel("in_place_gradient_kernel", each, IN_PLACE_ARGUMENTS)
        for each in (
            IN_PLACE,
            IN_PLACE.replace("p - tl.where(columns == target, 1.0, 0.0)", "tl.where(columns == target, p - 1.0, p)"),
            IN_PLACE.replace("mask=mask)", "mask=mask, other=0.0)", 1)
            .replace("p - tl.where(columns == target, 1.0, 0.0)", "p - (columns == target).to(tl.float32)")
            .replace("program_id(0)", "program_id(0).to(tl.int64)"),
            IN_PLACE.replace("x_target = tl.load(x_ptr + row * x_stride + target).to(tl.float32)", "x_target = 0.0")
            .replace(
                "    m_new = tl", "    x_target += tl.sum(tl.where(columns == target, x, 0.0), axis=0)\n    m_new = tl"
            )
            .replace("p = tl.exp(x - m) / s", "p = tl.exp(x - m - tl.log(s))"),
        )
    ],
}
