"""Rows dealt out on demand: whoever is free takes the next one from a counter."""

from ..backend import tl, triton


@triton.jit
def counter_kernel(y_ptr, x_ptr, counter_ptr, y_stride, x_stride, n_rows, n_cols, BLOCK_SIZE: tl.constexpr):
    columns = tl.arange(0, BLOCK_SIZE)
    mask = columns < n_cols
    row = tl.program_id(0).to(tl.int64)
    while row < n_rows:
        x = tl.load(x_ptr + row * x_stride + columns, mask=mask, other=-float("inf")).to(tl.float32)
        taken = tl.atomic_add(counter_ptr, 1, sem="relaxed")
        numerator = tl.exp(x - tl.max(x, axis=0))
        y = numerator / tl.sum(numerator, axis=0)
        tl.store(y_ptr + row * y_stride + columns, y, mask=mask)
        row = (tl.num_programs(0) + taken).to(tl.int64)
