"""The gradients of softmax and of log-softmax, from what came out (y) and the gradient that arrives (dy).

    softmax       dx = y · (dy − Σ y·dy)
    log-softmax   dx = dy − eʸ · Σ dy

Each needs one sum over the row before it can write the first element. A row that a program holds is read once: y and dy in, dx
out, 3MN. A wider one goes by twice, in blocks: 5MN, and for log-softmax, whose sum needs dy alone, 4MN.
"""

import math

import torch

from ..backend import mode, tl, triton
from ..language import both
from . import tiles
from .choose import LEAST, MEMBER, VECTOR, Gpu, gpu_of, members, options
from .combine import LOG2_E, as_int64, total, wait_for_the_kernel_before
from .inputs import as_rows, refuse
from .launch import Launch
from .team import PATIENCE, whole_sum

NARROW = 768  # columns: up to here a warp takes a whole row
HELD = 40  # elements that a thread keeps of both matrices, as far as there are warps
# The most, by bytes of an element, before registers run short and rows go by twice. In 16 bits 8 warps keep as many before there
# are 16, of which one program fits a multiprocessor, not two.
MOST_HELD = {2: 128, 4: 80, 8: 32}
MOST_WARPS = 16
TEAM_HELD = {2: 64, 4: 96}  # what a thread of a team keeps, likewise


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


def softmax_backward(dy, y, log: bool = False):
    """The gradient for x of `y = softmax(x)`, or with `log` of `y = log_softmax(x)`, when `dy` arrives for y.

    Same shapes, any of the dtypes; along the last dimension.
    """
    for tensor in (dy, y):
        refuse(tensor, "softmax_backward", "torch.autograd")
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


def tile(n_rows: int, n_cols: int, size: int, gpu: Gpu) -> tuple[dict, int, int] | None:
    """Constants, warps and programs where a program holds its rows of both matrices; None where they are too wide."""
    vector = VECTOR // size
    lanes = gpu.warp * vector  # columns that a warp reads at once
    if n_cols <= NARROW:
        piece = min(lanes, triton.next_power_of_2(n_cols))
        rows = 4 * lanes // piece
        return {"ROWS": rows, "PIECES": triton.cdiv(n_cols, piece), "PIECE": piece}, 4, triton.cdiv(n_rows, rows)
    warps, held = 1, math.inf
    while warps < MOST_WARPS and held > (MOST_HELD[2] if (warps, size) == (8, 2) else HELD):
        warps *= 2
        pieces = triton.cdiv(n_cols, warps * lanes)
        held = 2 * pieces * vector
    return ({"ROWS": 1, "PIECES": pieces, "PIECE": warps * lanes}, warps, n_rows) if held <= MOST_HELD[size] else None


def team(n_rows: int, n_cols: int, size: int, gpu: Gpu) -> tuple[dict, int, int] | None:
    """The same where several programs hold a row together, as in `team`; None where none can, or nobody may wait."""
    if not gpu.cuda or size == 8:
        return None
    vector = VECTOR // size
    piece = MEMBER * gpu.warp * vector
    programs = members(n_rows, n_cols, TEAM_HELD[size] // (2 * vector) * piece, LEAST, gpu)
    if programs is None:
        return None
    constants = {"TEAM": programs, "PIECES": triton.cdiv(n_cols, programs * piece), "PIECE": piece, "WARPS": MEMBER}
    return constants | {"PATIENCE": PATIENCE}, MEMBER, n_rows * programs


def _launch(dx, dy, y, log) -> None:
    n_rows, n_cols = dx.shape
    align, gpu, size = tiles.alignment(dx, dy, y), gpu_of(y.device), y.element_size()
    strides, columns = [tiles.row_stride(each) // align for each in (dx, dy, y)], n_cols // align
    how, acc = {"ALIGN": align, "LOG": log}, {"ACC": tiles.accumulator(y.dtype)}
    held = how | {"HINT": tiles.HINT, "EARLY": gpu.early}
    if mode != "npu" and (found := tile(n_rows, n_cols, size, gpu)):
        constants, warps, programs = found
        sizes, chosen = (*strides, n_rows, columns), options(warps, gpu)
        launch = Launch(backward_rows_kernel, programs, sizes, held | acc | constants, chosen)
    elif found := team(n_rows, n_cols, size, gpu):
        constants, warps, programs = found
        sizes, chosen = (*strides, columns), options(warps, gpu)
        launch = Launch(backward_team_kernel, programs, sizes, held | constants, chosen, mailbox=programs)
    else:
        constants, sizes = {"BLOCK_SIZE": tiles.block(n_cols, size)}, (*strides, n_rows, columns)
        programs = tiles.programs(n_rows)
        launch = Launch(backward_blocked_kernel, programs, sizes, how | acc | constants, {"num_warps": 8})
    with tiles.on(y):
        launch(dx, dy, y)
