"""The gradients of softmax and of log-softmax, from what came out (y) and the gradient that arrives (dy).

    softmax       dx = y · (dy − Σ y·dy)
    log-softmax   dx = dy − eʸ · Σ dy

Each needs one sum over the row before it can write the first element. A row that a program holds is read once: y and dy in, dx
out, 3MN. A wider one goes by twice, in blocks: 5MN, and for log-softmax, whose sum needs dy alone, 4MN.
"""

import torch

from ..backend import mode, tl, triton
from ..language import both
from . import tiles
from .choose import gpu_of, options
from .combine import LOG2_E, as_int64, total
from .early import wait_for_the_kernel_before
from .inputs import as_rows
from .launch import quiet
from .team import whole_sum


@triton.jit
def _summand(y, dy, LOG: tl.constexpr):
    if LOG:
        return dy
    else:
        return y * dy


@triton.jit
def _gradient(y, dy, s, LOG: tl.constexpr):
    if LOG:
        return dy - tl.exp2(y * LOG2_E) * s
    else:
        return y * (dy - s)


@triton.jit
def backward_rows_kernel(
    dx_ptr, dy_ptr, y_ptr, dx_stride, dy_stride, y_stride, n_rows, n_cols,
    ALIGN: tl.constexpr, ROWS: tl.constexpr, PIECES: tl.constexpr, PIECE: tl.constexpr, ACC: tl.constexpr, LOG: tl.constexpr,
    HINT: tl.constexpr, EARLY: tl.constexpr,
):  # fmt: skip
    n_cols, dx_stride = n_cols * ALIGN, as_int64(dx_stride) * ALIGN
    dy_stride, y_stride = as_int64(dy_stride) * ALIGN, as_int64(y_stride) * ALIGN
    row = tl.program_id(0).to(tl.int64) * ROWS + tl.arange(0, ROWS)[:, None]
    mine = tl.minimum(row, n_rows - 1)  # past the last row: read that one again, and write nothing
    columns = tl.arange(0, PIECE)[None, :]
    wait_for_the_kernel_before(EARLY)
    y, dy, summands = (), (), ()
    for i in tl.static_range(PIECES):
        c = i * PIECE + columns
        y += (tl.load(y_ptr + mine * y_stride + c, mask=c < n_cols, other=0.0, eviction_policy=HINT),)
        dy += (tl.load(dy_ptr + mine * dy_stride + c, mask=c < n_cols, other=0.0, eviction_policy=HINT),)
        summands += (_summand(y[i].to(ACC), dy[i].to(ACC), LOG),)
    s = tl.sum(total(summands, PIECES), axis=1)[:, None]
    for i in tl.static_range(PIECES):
        c = i * PIECE + columns
        dx = _gradient(y[i].to(ACC), dy[i].to(ACC), s, LOG)
        tl.store(dx_ptr + row * dx_stride + c, dx, mask=(c < n_cols) & (row < n_rows), eviction_policy="evict_first")


@triton.jit
def backward_team_kernel(
    dx_ptr, dy_ptr, y_ptr, mailbox_ptr, dx_stride, dy_stride, y_stride, n_cols,
    ALIGN: tl.constexpr, TEAM: tl.constexpr, PIECES: tl.constexpr, PIECE: tl.constexpr, WARPS: tl.constexpr,
    PATIENCE: tl.constexpr, LOG: tl.constexpr, HINT: tl.constexpr, EARLY: tl.constexpr,
):  # fmt: skip
    part = tl.program_id(0)
    n_cols, row = n_cols * ALIGN, (part // TEAM).to(tl.int64)
    dx_row = dx_ptr + row * (as_int64(dx_stride) * ALIGN)
    dy_row, y_row = dy_ptr + row * (as_int64(dy_stride) * ALIGN), y_ptr + row * (as_int64(y_stride) * ALIGN)
    columns = part % TEAM * (PIECES * PIECE) + tl.arange(0, PIECE)
    wait_for_the_kernel_before(EARLY)
    y, dy, summands = (), (), ()
    for i in tl.static_range(PIECES):
        c = i * PIECE + columns
        y += (tl.load(y_row + c, mask=c < n_cols, other=0.0, eviction_policy=HINT),)
        dy += (tl.load(dy_row + c, mask=c < n_cols, other=0.0, eviction_policy=HINT),)
        summands += (_summand(y[i].to(tl.float32), dy[i].to(tl.float32), LOG),)
    s, missing = whole_sum(mailbox_ptr, part, tl.sum(total(summands, PIECES), axis=0), TEAM, WARPS, PATIENCE)
    if missing:  # the row's sum by oneself, see `team`
        s = 0.0
        for start in tl.range(0, n_cols, 32 * WARPS):
            k = start + tl.arange(0, 32 * WARPS)
            y_block = tl.load(y_row + k, mask=k < n_cols, other=0.0).to(tl.float32)
            dy_block = tl.load(dy_row + k, mask=k < n_cols, other=0.0).to(tl.float32)
            s += tl.sum(_summand(y_block, dy_block, LOG), axis=0)
    for i in tl.static_range(PIECES):
        c = i * PIECE + columns
        dx = _gradient(y[i].to(tl.float32), dy[i].to(tl.float32), s, LOG)
        tl.store(dx_row + c, dx, mask=c < n_cols, eviction_policy="evict_first")


@triton.jit
def backward_blocked_kernel(
    dx_ptr, dy_ptr, y_ptr, dx_stride, dy_stride, y_stride, n_rows, n_cols,
    ALIGN: tl.constexpr, BLOCK_SIZE: tl.constexpr, ACC: tl.constexpr, LOG: tl.constexpr,
):  # fmt: skip
    n_cols, dx_stride = n_cols * ALIGN, as_int64(dx_stride) * ALIGN
    dy_stride, y_stride = as_int64(dy_stride) * ALIGN, as_int64(y_stride) * ALIGN
    for row in tl.range(tl.program_id(0).to(tl.int64), n_rows, tl.num_programs(0)):
        sums = tl.full((BLOCK_SIZE,), 0.0, ACC)
        for start in tl.range(0, n_cols, BLOCK_SIZE):
            columns = start + tl.arange(0, BLOCK_SIZE)
            dy = tl.load(dy_ptr + row * dy_stride + columns, mask=columns < n_cols, other=0.0).to(ACC)
            if LOG:
                sums += dy
            else:
                sums += dy * tl.load(y_ptr + row * y_stride + columns, mask=columns < n_cols, other=0.0).to(ACC)
        s = tl.sum(sums, axis=0)
        for start in tl.range(0, n_cols, BLOCK_SIZE):
            columns = start + tl.arange(0, BLOCK_SIZE)
            y = tl.load(y_ptr + row * y_stride + columns, mask=columns < n_cols, other=0.0).to(ACC)
            dy = tl.load(dy_ptr + row * dy_stride + columns, mask=columns < n_cols, other=0.0).to(ACC)
            tl.store(dx_ptr + row * dx_stride + columns, _gradient(y, dy, s, LOG), mask=columns < n_cols)


def softmax_backward(dy, y):
    """The gradient for x of `y = softmax(x)`, when `dy` arrives for y. Same shapes, any of the dtypes; along the last dimension."""
    return _backward(dy, y, "softmax_backward", log=False)


def log_softmax_backward(dy, y):
    """The gradient for x of `y = log_softmax(x)`, when `dy` arrives for y."""
    return _backward(dy, y, "log_softmax_backward", log=True)


def _backward(dy, y, name, log):
    for tensor in (dy, y):
        tiles.refuse(tensor, name, "torch.autograd")
    if dy.shape != y.shape or dy.dtype != y.dtype:
        said = f"dy {tuple(dy.shape)} {dy.dtype}, y {tuple(y.shape)} {y.dtype}"
        raise ValueError(
            both(f"dy 与 y 的形状和类型必须一样：{said}。", f"dy and y must agree in shape and dtype: {said}.")
        )
    dx = torch.empty(y.shape, dtype=y.dtype, device=y.device)
    if dx.numel():
        y = as_rows(y)
        _launch(dx.view(y.shape), as_rows(dy), y, log)
    return dx


def _launch(dx, dy, y, log) -> None:
    n_rows, n_cols = dx.shape
    align = tiles.alignment(dx, dy, y)
    sizes = (*(tiles.row_stride(each) // align for each in (dx, dy, y)), n_rows, n_cols // align)
    constants = {"ALIGN": align, "ACC": tiles.accumulator(y.dtype), "LOG": log}
    gpu = gpu_of(y.device)
    early = {"HINT": tiles.HINT, "EARLY": gpu.early}
    tile = None if mode == "npu" else tiles.tile(n_rows, n_cols, y.element_size(), 2, y.device)
    with quiet(), tiles.on(y):
        if tile is not None:
            constants |= {"ROWS": tile.rows, "PIECES": tile.pieces, "PIECE": tile.piece, **early}
            backward_rows_kernel[(tile.programs,)](dx, dy, y, *sizes, **constants, **options(tile.warps, gpu))
        elif team := tiles.team(n_rows, n_cols, y.element_size(), 2, y.device):
            del constants["ACC"]
            strides, columns = sizes[:3], sizes[-1]
            team.launch(backward_team_kernel, (dx, dy, y), (*strides, columns), **constants, **early)
        else:
            constants["BLOCK_SIZE"] = tiles.block(n_cols, y.element_size())
            backward_blocked_kernel[(tiles.programs(n_rows),)](dx, dy, y, *sizes, **constants, num_warps=8)
