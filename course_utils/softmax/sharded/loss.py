"""Vocabulary-parallel cross-entropy: a row's scores lie on many ranks, its target on one of them.

    loss = m + log s − Σ over ranks of ((1 − ε)·[target is here]·x_t + ε·Σx/N)     m, s: merged pairs
    dx   = d·(p − (1 − ε)·[column is t] − ε/N)                                     every rank by itself: nothing travels

Each rank reads its columns once and sends three numbers a row: maximum, sum, and its share of what is subtracted. The rank that
holds the target brings its score, the others bring 0; so does every rank for a target that is no column, and the loss is NaN.
"""

import torch

from ...backend import tl, triton
from .. import losses, tiles
from ..combine import as_int64, exponential, exponentials, finite, greatest, meet, total
from ..launch import quiet

ROWS = 128  # of a program that merges


@triton.jit
def shard_kernel(
    told_ptr, x_ptr, target_ptr, x_stride, n_rows, n_cols, first, n_all, ignore_index,
    ALIGN: tl.constexpr, PIECES: tl.constexpr, PIECE: tl.constexpr, ACC: tl.constexpr, SMOOTHING: tl.constexpr,
    HINT: tl.constexpr,
):  # fmt: skip
    """What this rank knows of a row. Every lane keeps a maximum and a sum of its own, and they meet once, as in `loss_kernel`."""
    n_cols, x_stride = n_cols * ALIGN, as_int64(x_stride) * ALIGN
    row = tl.program_id(0).to(tl.int64)
    x_row = x_ptr + row * x_stride
    target = tl.load(target_ptr + row)
    n = tl.where(target != ignore_index, n_cols, 0)
    m = tl.full((PIECE,), -float("inf"), ACC)
    s = tl.full((PIECE,), 0.0, ACC)
    sums = tl.full((PIECE,), 0.0, ACC)
    for start in tl.range(0, n, PIECES * PIECE):
        pieces = ()
        for i in tl.static_range(PIECES):
            c = start + i * PIECE + tl.arange(0, PIECE)
            pieces += (tl.load(x_row + c, mask=c < n, other=-float("inf"), eviction_policy=HINT).to(ACC),)
            if SMOOTHING > 0:
                sums += tl.where(c < n, pieces[i], 0.0)
        top = tl.maximum(m, greatest(pieces, PIECES))
        s = s * exponential(m, finite(top)) + total(exponentials(pieces, finite(top), PIECES), PIECES)
        m = top
    m_row = tl.max(m, axis=0)
    s_row = tl.sum(s * exponential(m, finite(m_row)), axis=0)
    here = target - first
    x_target = tl.load(x_row + here, mask=(here >= 0) & (here < n), other=0.0).to(ACC)
    if SMOOTHING > 0:
        x_target = x_target * (1.0 - SMOOTHING) + tl.sum(sums, axis=0) / n_all * SMOOTHING
    tl.store(told_ptr + row, m_row)
    tl.store(told_ptr + n_rows + row, s_row)
    tl.store(told_ptr + 2 * n_rows + row, x_target)


@triton.jit
def whole_loss_kernel(
    loss_ptr, parts_ptr, told_ptr, target_ptr, n_rows, n_all, ignore_index,
    RANKS: tl.constexpr, ROWS: tl.constexpr, ACC: tl.constexpr,
):  # fmt: skip
    row = tl.program_id(0).to(tl.int64) * ROWS + tl.arange(0, ROWS)
    there = row < n_rows
    m = tl.full((ROWS,), -float("inf"), ACC)
    s = tl.full((ROWS,), 0.0, ACC)
    shares = tl.full((ROWS,), 0.0, ACC)
    for r in tl.static_range(RANKS):  # in the order of ranks, on every rank
        told = told_ptr + r * 3 * n_rows + row
        m_rank = tl.load(told, mask=there, other=0.0)
        m, s = meet(m, s, m_rank, tl.load(told + n_rows, mask=there, other=0.0))
        shares += tl.load(told + 2 * n_rows, mask=there, other=0.0)
    target = tl.load(target_ptr + row, mask=there, other=0)
    log_s = tl.log(s)
    loss = m - tl.where((target >= 0) & (target < n_all), shares, float("nan")) + log_s
    tl.store(loss_ptr + row, tl.where(target != ignore_index, loss, 0.0), mask=there)
    tl.store(parts_ptr + row, m, mask=there)
    tl.store(parts_ptr + n_rows + row, log_s, mask=there)


@triton.jit
def shard_backward_kernel(
    dx_ptr, x_ptr, target_ptr, parts_ptr, d_ptr, dx_stride, x_stride, d_stride, n_rows, n_cols, first, n_all, ignore_index,
    ALIGN: tl.constexpr, BLOCKS: tl.constexpr, BLOCK_SIZE: tl.constexpr, ACC: tl.constexpr, SMOOTHING: tl.constexpr,
    HINT: tl.constexpr,
):  # fmt: skip
    n_cols, dx_stride, x_stride = n_cols * ALIGN, as_int64(dx_stride) * ALIGN, as_int64(x_stride) * ALIGN
    row = tl.program_id(0).to(tl.int64) // BLOCKS
    columns = tl.program_id(0) % BLOCKS * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    target = tl.load(target_ptr + row)
    kept = target != ignore_index
    d = tl.where((target >= 0) & (target < n_all), tl.load(d_ptr + row * d_stride).to(ACC), float("nan"))
    m, log_s = tl.load(parts_ptr + row), tl.load(parts_ptr + n_rows + row)
    mask = columns < tl.where(kept, n_cols, 0)
    x = tl.load(x_ptr + row * x_stride + columns, mask=mask, other=0.0, eviction_policy=HINT).to(ACC)
    p = exponential(x - m, log_s) - SMOOTHING / tl.cast(n_all, ACC)
    dx = d * tl.where(columns == target - first, p - (1.0 - SMOOTHING), p)
    tl.store(dx_ptr + row * dx_stride + columns, tl.where(kept, dx, 0.0), mask=columns < n_cols)


def losses_of_rows(x, target, ranks, agreed, ignore_index: int, smoothing: float):
    """The loss of each row, and what the backward pass needs of it: m and log Σ exp(x − m) of the whole row."""
    n_rows, n_cols = x.shape
    kind = torch.promote_types(x.dtype, torch.float32)
    told = torch.empty((3, n_rows), dtype=kind, device=x.device)
    loss = torch.empty(n_rows, dtype=kind, device=x.device)
    parts = torch.empty((2, n_rows), dtype=kind, device=x.device)
    align, acc = tiles.alignment(x), tiles.accumulator(x.dtype)
    piece, pieces, warps = losses.sizes_forward(n_cols, x.element_size())
    constants = {"ALIGN": align, "PIECES": max(1, pieces), "PIECE": piece, "ACC": acc, "SMOOTHING": smoothing}
    sizes = tiles.row_stride(x) // align, n_rows, n_cols // align, agreed.first, agreed.columns, ignore_index
    with quiet(), tiles.on(x):
        shard_kernel[(n_rows,)](told, x, target, *sizes, **constants, HINT=tiles.HINT, num_warps=warps)
        told, sizes = ranks.gather(told), (n_rows, agreed.columns, ignore_index)
        grid, constants = (triton.cdiv(n_rows, ROWS),), {"RANKS": ranks.size, "ROWS": ROWS, "ACC": acc}
        whole_loss_kernel[grid](loss, parts, told, target, *sizes, **constants, num_warps=4)
    return loss, parts


def losses_backward_of_rows(dx, d, x, target, parts, agreed, ignore_index: int, smoothing: float) -> None:
    """The gradient for this rank's scores into `dx`, when `d` arrives for each row's loss."""
    n_rows, n_cols = x.shape
    align = tiles.alignment(dx, x)
    block, warps = losses.sizes_backward(n_cols, x.element_size())
    blocks = triton.cdiv(n_cols, block)
    constants = {"ALIGN": align, "BLOCKS": blocks, "BLOCK_SIZE": block, "ACC": tiles.accumulator(x.dtype)}
    strides = *(tiles.row_stride(each) // align for each in (dx, x)), d.stride(0)
    sizes = n_rows, n_cols // align, agreed.first, agreed.columns, ignore_index
    with quiet(), tiles.on(x):
        shard_backward_kernel[(n_rows * blocks,)](
            dx, x, target, parts, d, *strides, *sizes,
            **constants, SMOOTHING=smoothing, HINT=tiles.HINT, num_warps=warps,
        )  # fmt: skip
