"""Vocabulary-parallel cross-entropy: a row's scores lie on many ranks, its target on one of them.

    loss = m + log s − Σ over ranks of ((1 − ε)·[target is here]·x_t + ε·Σx/N)     m, s: merged pairs
    dx   = d·(p − (1 − ε)·[column is t] − ε/N)                                     every rank by itself: nothing travels

Each rank reads its columns once (`loss_kernel`) and sends three numbers a row: maximum, sum, and its share of what is subtracted.
The rank that holds the target brings its score, the others bring 0; so does every rank for a target that is no column, and the
loss is NaN.
"""

import torch

from ...backend import tl, triton
from .. import losses, tiles
from ..combine import merge
from ..launch import quiet

ROWS = 128  # of a program that merges


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
        m, s = merge(m, s, m_rank, tl.load(told + n_rows, mask=there, other=0.0))
        shares += tl.load(told + 2 * n_rows, mask=there, other=0.0)
    target = tl.load(target_ptr + row, mask=there, other=0)
    log_s = tl.log(s)
    loss = m - tl.where((target >= 0) & (target < n_all), shares, float("nan")) + log_s
    tl.store(loss_ptr + row, tl.where(target != ignore_index, loss, 0.0), mask=there)
    tl.store(parts_ptr + row, m, mask=there)
    tl.store(parts_ptr + n_rows + row, log_s, mask=there)


def losses_of_rows(x, target, ranks, agreed, ignore_index: int, smoothing: float):
    """The loss of each row, and what the backward pass needs of it: m and log Σ exp(x − m) of the whole row."""
    n_rows, kind = len(x), torch.promote_types(x.dtype, torch.float32)
    if x.shape[1]:
        share, pair = losses.losses(x, target, ignore_index, smoothing, (agreed.first, agreed.columns))
        told = torch.cat([pair, share[None]])
    else:
        told = torch.zeros((3, n_rows), dtype=kind, device=x.device)
        told[0] = -torch.inf
    told, target = ranks.gather(told), target.contiguous()
    loss = torch.empty(n_rows, dtype=kind, device=x.device)
    parts = torch.empty((2, n_rows), dtype=kind, device=x.device)
    sizes, acc = (n_rows, agreed.columns, ignore_index), tiles.accumulator(x.dtype)
    with quiet(), tiles.on(x):
        whole_loss_kernel[(triton.cdiv(n_rows, ROWS),)](
            loss, parts, told, target, *sizes, RANKS=ranks.size, ROWS=ROWS, ACC=acc
        )
    return loss, parts
