"""A tile: some rows side by side, held whole. One program a tile; or a few programs that stay and take tile after tile."""

from ..backend import tl, triton


@triton.jit
def tile_kernel(y_ptr, x_ptr, n_rows, n_cols, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    rows = tl.program_id(0).to(tl.int64) * ROWS + tl.arange(0, ROWS)[:, None]
    columns = tl.arange(0, BLOCK)[None, :]
    mask = (rows < n_rows) & (columns < n_cols)
    x = tl.load(x_ptr + rows * n_cols + columns, mask=mask, other=-float("inf")).to(tl.float32)
    numerator = tl.exp(x - tl.max(x, axis=1)[:, None])
    tl.store(y_ptr + rows * n_cols + columns, numerator / tl.sum(numerator, axis=1)[:, None], mask=mask)


@triton.jit
def stay_kernel(y_ptr, x_ptr, n_rows, n_cols, ROWS: tl.constexpr, BLOCK: tl.constexpr, STAGES: tl.constexpr):
    columns = tl.arange(0, BLOCK)[None, :]
    for first in tl.range(tl.program_id(0).to(tl.int64) * ROWS, n_rows, tl.num_programs(0) * ROWS, num_stages=STAGES):
        rows = first + tl.arange(0, ROWS)[:, None]
        mask = (rows < n_rows) & (columns < n_cols)
        x = tl.load(x_ptr + rows * n_cols + columns, mask=mask, other=-float("inf")).to(tl.float32)
        numerator = tl.exp(x - tl.max(x, axis=1)[:, None])
        tl.store(y_ptr + rows * n_cols + columns, numerator / tl.sum(numerator, axis=1)[:, None], mask=mask)
