"""A tile: some rows side by side, held whole. One program a tile, as 05 launches it; or a few programs that stay, tile after tile."""

import torch

from ..backend import tl, triton
from .inputs import as_matrix
from .launch import quiet


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


def launcher(rows, columns, size):
    """(rows a program, warps) for so many rows of so many columns, `size` bytes an element."""
    block = triton.next_power_of_2(columns)
    if block < 1024:
        return triton.next_power_of_2(triton.cdiv(1024, columns * size)), 1
    return 1, max(2, min(32, block // 1024))


def occupancy_softmax(x):
    """Softmax of every row, in tiles as the launcher has them."""
    x = as_matrix(x).contiguous()
    y, (rows, columns) = torch.empty_like(x), x.shape
    together, warps = launcher(rows, columns, x.element_size())
    sizes = {"ROWS": together, "BLOCK": triton.next_power_of_2(columns), "num_warps": warps}
    with quiet():  # rows past the last are −inf, and −inf − −inf is nobody's result
        tile_kernel[(triton.cdiv(rows, together),)](y, x, rows, columns, **sizes)
    return y
