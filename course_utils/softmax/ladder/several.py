"""Several rows a program: a tile of ROWS × BLOCK_SIZE, where the row kernel has one row."""

from ...backend import tl, triton


@triton.jit
def several_kernel(
    y_ptr, x_ptr, y_stride, x_stride, n_rows, n_cols, ROWS: tl.constexpr, BLOCK_SIZE: tl.constexpr
):  # fmt: skip
    row = tl.program_id(0).to(tl.int64) * ROWS + tl.arange(0, ROWS)[:, None]
    mine = tl.minimum(row, n_rows - 1)  # past the last row: read that one again, and write nothing
    columns = tl.arange(0, BLOCK_SIZE)[None, :]
    mask = columns < n_cols
    x = tl.load(x_ptr + mine * x_stride + columns, mask=mask, other=-float("inf")).to(tl.float32)
    numerator = tl.exp(x - tl.max(x, axis=1)[:, None])
    y = numerator / tl.sum(numerator, axis=1)[:, None]
    tl.store(y_ptr + row * y_stride + columns, y, mask=mask & (row < n_rows))
