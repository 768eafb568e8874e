"""Two kernels and one message: runs wherever Triton and `torch.distributed` do.

The first kernel finds maximum and sum of every part of this rank's columns (09's `parts_kernel`), one all-gather hands all pairs
to all ranks, and the second kernel merges a row's pairs, in the order of ranks, and writes. This rank's columns are read twice.
"""

import torch

from ...backend import mode, tl, triton
from .. import tiles
from ..combine import as_int64, exponential, finite
from ..launch import quiet
from ..split import parts_kernel


@triton.jit
def result(x, m, of_sum, LOG: tl.constexpr):
    """An element of the answer: `of_sum` is the sum's inverse, or its logarithm."""
    if LOG:
        return x - m - of_sum
    else:
        return exponential(x, m) * of_sum


@triton.jit
def from_sum(m, s, LOG: tl.constexpr):
    if LOG:
        return m, tl.log(s)
    else:
        return finite(m), 1.0 / s


@triton.jit
def everybodys(row, n_rows, PARTS: tl.constexpr, RANKS: tl.constexpr):
    """Where what the ranks say of a row lies after the all-gather, in the order of ranks; and which places there are."""
    k = tl.arange(0, triton.next_power_of_2(RANKS * PARTS))
    return (k // PARTS * as_int64(n_rows) + row) * PARTS + k % PARTS, k < RANKS * PARTS


@triton.jit
def finish_pairs_kernel(
    y_ptr, x_ptr, pairs_ptr, y_stride, x_stride, n_rows, n_cols,
    ALIGN: tl.constexpr, PARTS: tl.constexpr, RANKS: tl.constexpr, BLOCKS: tl.constexpr, BLOCK: tl.constexpr,
    ACC: tl.constexpr, LOG: tl.constexpr,
):  # fmt: skip
    n_cols, x_stride, y_stride = as_int64(n_cols) * ALIGN, as_int64(x_stride) * ALIGN, as_int64(y_stride) * ALIGN
    row = tl.program_id(0).to(tl.int64) // BLOCKS
    columns = tl.program_id(0) % BLOCKS * as_int64(BLOCK) + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * x_stride + columns, mask=columns < n_cols, other=-float("inf")).to(ACC)
    at, there = everybodys(row, n_rows, PARTS, RANKS)
    m_parts = tl.load(pairs_ptr + at * 2, mask=there, other=-float("inf"))
    s_parts = tl.load(pairs_ptr + at * 2 + 1, mask=there, other=0.0)
    m = tl.max(m_parts, axis=0)
    m, of_sum = from_sum(m, tl.sum(s_parts * exponential(m_parts, finite(m)), axis=0), LOG)
    tl.store(y_ptr + row * y_stride + columns, result(x, m, of_sum, LOG), mask=columns < n_cols)


def parts_of(n_rows: int, widest: int) -> int:
    """Parts of a rank's share of a row, the same on every rank: enough that a GPU has something to do."""
    parts = 1
    while n_rows * parts < 1024 and parts * block_of(widest, 4) < widest and parts < 256:
        parts *= 2
    return parts


def block_of(n_cols: int, size: int) -> int:
    return tiles.block(n_cols, size) if mode == "interpreter" else 16384 // size


def sizes_of(matrices, size: int):
    """What two kernels of a rank share: the step of their sizes, strides and columns in it, and constants."""
    align = tiles.alignment(*matrices)
    n_cols = matrices[0].shape[1]
    block = block_of(n_cols, size)
    constants = {"ALIGN": align, "BLOCK": block, "ACC": tiles.accumulator(matrices[0].dtype)}
    return (
        [tiles.row_stride(each) // align for each in matrices],
        n_cols // align,
        triton.cdiv(n_cols, block),
        constants,
    )


def softmax_of_pairs(y, x, ranks, agreed, log: bool) -> None:
    """The softmax of this rank's columns `x` into `y`."""
    n_rows = len(x)
    parts = parts_of(n_rows, max(agreed.widths))
    kind = torch.promote_types(x.dtype, torch.float32)
    pairs = torch.empty((n_rows, parts, 2), dtype=kind, device=x.device)
    strides, columns, blocks, constants = sizes_of((y, x), x.element_size())
    with quiet(), tiles.on(x):
        parts_kernel[(n_rows * parts,)](
            pairs, x, strides[1], columns, PARTS=parts, EARLY=False, **constants, num_warps=8
        )
        pairs = ranks.gather(pairs)
        if columns:
            constants |= {"PARTS": parts, "RANKS": ranks.size, "BLOCKS": blocks, "LOG": log}
            finish_pairs_kernel[(n_rows * blocks,)](y, x, pairs, *strides, n_rows, columns, **constants, num_warps=8)
