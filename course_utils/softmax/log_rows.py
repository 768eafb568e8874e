"""The logarithm of softmax, y = x − m − log Σ exp(x − m): the logarithm of the sum, never of a quotient that may be 0.

Read MN, write MN while a program holds a row; a wider one goes by twice, 3MN.
"""

import torch

from ..backend import mode, tl, triton
from . import tiles
from .combine import as_int64, exponential, exponentials, finite, greatest, meet, total
from .inputs import as_rows
from .launch import quiet
from .team import my_part, whole_team


@triton.jit
def log_rows_kernel(
    y_ptr, x_ptr, y_stride, x_stride, n_rows, n_cols,
    ALIGN: tl.constexpr, ROWS: tl.constexpr, PIECES: tl.constexpr, PIECE: tl.constexpr, ACC: tl.constexpr,
):  # fmt: skip
    n_cols, x_stride, y_stride = n_cols * ALIGN, as_int64(x_stride) * ALIGN, as_int64(y_stride) * ALIGN
    row = tl.program_id(0).to(tl.int64) * ROWS + tl.arange(0, ROWS)[:, None]
    mine = tl.minimum(row, n_rows - 1)  # past the last row: read that one again, and write nothing
    columns = tl.arange(0, PIECE)[None, :]
    pieces = ()
    for i in tl.static_range(PIECES):
        c = i * PIECE + columns
        x = tl.load(x_ptr + mine * x_stride + c, mask=c < n_cols, other=-float("inf"), eviction_policy="evict_last")
        pieces += (x.to(ACC),)
    m = tl.max(greatest(pieces, PIECES), axis=1)[:, None]
    log_s = tl.log(tl.sum(total(exponentials(pieces, m, PIECES), PIECES), axis=1))[:, None]
    for i in tl.static_range(PIECES):
        c = i * PIECE + columns
        tl.store(y_ptr + row * y_stride + c, pieces[i] - m - log_s, mask=(c < n_cols) & (row < n_rows))


@triton.jit
def log_pieces_kernel(
    y_ptr, x_ptr, y_stride, x_stride, n_cols,
    ALIGN: tl.constexpr, PIECES: tl.constexpr, WARPS: tl.constexpr, LANES: tl.constexpr, ACC: tl.constexpr,
):  # fmt: skip
    n_cols, x_stride, y_stride = n_cols * ALIGN, as_int64(x_stride) * ALIGN, as_int64(y_stride) * ALIGN
    row = tl.program_id(0).to(tl.int64)
    columns = tl.arange(0, WARPS)[:, None] * LANES + tl.arange(0, LANES)[None, :]  # a line of this block per warp
    pieces = ()
    for i in tl.static_range(PIECES):
        c = i * WARPS * LANES + columns
        x = tl.load(x_ptr + row * x_stride + c, mask=c < n_cols, other=-float("inf"), eviction_policy="evict_last")
        pieces += (x.to(ACC),)
    m_warp = tl.max(greatest(pieces, PIECES), axis=1)
    s_warp = tl.sum(total(exponentials(pieces, finite(m_warp)[:, None], PIECES), PIECES), axis=1)
    m, s = tl.reduce((m_warp, s_warp), 0, meet)
    log_s = tl.log(s)
    for i in tl.static_range(PIECES):
        c = i * WARPS * LANES + columns
        tl.store(y_ptr + row * y_stride + c, pieces[i] - m - log_s, mask=c < n_cols)


@triton.jit
def log_team_kernel(
    y_ptr, x_ptr, mailbox_ptr, y_stride, x_stride, n_cols,
    ALIGN: tl.constexpr, TEAM: tl.constexpr, PIECES: tl.constexpr, WARPS: tl.constexpr, LANES: tl.constexpr,
    ORDERED: tl.constexpr,
):  # fmt: skip
    n_cols, x_stride, y_stride = n_cols * ALIGN, as_int64(x_stride) * ALIGN, as_int64(y_stride) * ALIGN
    part = my_part(mailbox_ptr, ORDERED)
    row = (part // TEAM).to(tl.int64)
    columns = tl.arange(0, WARPS)[:, None] * LANES + tl.arange(0, LANES)[None, :]
    columns += part % TEAM * (PIECES * WARPS * LANES)
    pieces = ()
    for i in tl.static_range(PIECES):
        c = i * WARPS * LANES + columns
        x = tl.load(x_ptr + row * x_stride + c, mask=c < n_cols, other=-float("inf"), eviction_policy="evict_last")
        pieces += (x.to(tl.float32),)
    m_warp = tl.max(greatest(pieces, PIECES), axis=1)
    s_warp = tl.sum(total(exponentials(pieces, finite(m_warp)[:, None], PIECES), PIECES), axis=1)
    m, s = tl.reduce((m_warp, s_warp), 0, meet)
    m, s = whole_team(mailbox_ptr, part, m, s, TEAM, WARPS)
    log_s = tl.log(s)
    for i in tl.static_range(PIECES):
        c = i * WARPS * LANES + columns
        tl.store(y_ptr + row * y_stride + c, pieces[i] - m - log_s, mask=c < n_cols)


@triton.jit
def log_blocked_kernel(
    y_ptr, x_ptr, y_stride, x_stride, n_rows, n_cols, ALIGN: tl.constexpr, BLOCK_SIZE: tl.constexpr, ACC: tl.constexpr
):
    n_cols, x_stride, y_stride = n_cols * ALIGN, as_int64(x_stride) * ALIGN, as_int64(y_stride) * ALIGN
    for row in tl.range(tl.program_id(0).to(tl.int64), n_rows, tl.num_programs(0)):
        m = tl.full((), -float("inf"), ACC)
        s = tl.full((), 0.0, ACC)
        for start in tl.range(0, n_cols, BLOCK_SIZE):
            columns = start + tl.arange(0, BLOCK_SIZE)
            x = tl.load(x_ptr + row * x_stride + columns, mask=columns < n_cols, other=-float("inf")).to(ACC)
            m_block = tl.max(x, axis=0)
            m, s = meet(m, s, m_block, tl.sum(exponential(x, finite(m_block)), axis=0))
        log_s = tl.log(s)
        for start in tl.range(0, n_cols, BLOCK_SIZE):
            columns = start + tl.arange(0, BLOCK_SIZE)
            x = tl.load(x_ptr + row * x_stride + columns, mask=columns < n_cols, other=-float("inf")).to(ACC)
            tl.store(y_ptr + row * y_stride + columns, x - m - log_s, mask=columns < n_cols)


def launch_log_softmax(y, x) -> None:
    """The log-softmax of rows `x` into rows `y`."""
    n_rows, n_cols = x.shape
    align = tiles.alignment(y, x)
    strides = [tiles.row_stride(each) // align for each in (y, x)]
    constants = {"ALIGN": align, "ACC": tiles.accumulator(x.dtype)}
    tile = None if mode == "npu" else tiles.tile(n_rows, n_cols, x.element_size(), tensors=1)
    with quiet(), tiles.on(x):
        if tile is None and (team := tiles.team(n_rows, n_cols, x.element_size(), tensors=1)):
            del constants["ACC"]
            team.launch(log_team_kernel, (y, x), (*strides, n_cols // align), **constants)
        elif tile is None:
            constants["BLOCK_SIZE"] = tiles.block(n_cols, x.element_size())
            sizes = (*strides, n_rows, n_cols // align)
            log_blocked_kernel[(tiles.programs(n_rows),)](y, x, *sizes, **constants, **tiles.options(8))
        elif tile.rows > 1:
            constants |= {"ROWS": tile.rows, "PIECES": tile.pieces, "PIECE": tile.piece}
            sizes = (*strides, n_rows, n_cols // align)
            log_rows_kernel[(tile.programs,)](y, x, *sizes, **constants, **tiles.options(tile.warps))
        else:
            constants |= {"PIECES": tile.pieces, "WARPS": tile.warps, "LANES": tile.piece // tile.warps}
            log_pieces_kernel[(n_rows,)](y, x, *strides, n_cols // align, **constants, **tiles.options(tile.warps))


def log_softmax_forward(x):
    """The kernels alone, of what `log_softmax` has looked at."""
    y = torch.empty(x.shape, dtype=x.dtype, device=x.device)
    if y.numel():
        rows = as_rows(x)
        launch_log_softmax(y.view(rows.shape), rows)
    return y
