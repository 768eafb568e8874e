"""The gradients of softmax and log-softmax need one sum over the whole row: one number a row from every rank, in one message."""

import torch

from ...backend import tl, triton
from .. import tiles
from ..backward import _gradient, _summand
from ..combine import as_int64
from ..launch import quiet
from .pairs import everybodys, parts_of, sizes_of


@triton.jit
def sums_kernel(
    sums_ptr, dy_ptr, y_ptr, dy_stride, y_stride, n_cols,
    ALIGN: tl.constexpr, PARTS: tl.constexpr, BLOCK: tl.constexpr, ACC: tl.constexpr, LOG: tl.constexpr,
):  # fmt: skip
    n_cols, dy_stride, y_stride = as_int64(n_cols) * ALIGN, as_int64(dy_stride) * ALIGN, as_int64(y_stride) * ALIGN
    row, part = tl.program_id(0).to(tl.int64) // PARTS, tl.program_id(0) % PARTS
    sums = tl.zeros((BLOCK,), ACC)
    for start in tl.range(part.to(tl.int64) * BLOCK, n_cols, PARTS * BLOCK):
        columns = start + tl.arange(0, BLOCK)
        dy = tl.load(dy_ptr + row * dy_stride + columns, mask=columns < n_cols, other=0.0).to(ACC)
        y = tl.load(y_ptr + row * y_stride + columns, mask=columns < n_cols, other=0.0).to(ACC)
        sums += _summand(y, dy, LOG)
    tl.store(sums_ptr + row * PARTS + part, tl.sum(sums, axis=0))


@triton.jit
def gradient_kernel(
    dx_ptr, dy_ptr, y_ptr, sums_ptr, dx_stride, dy_stride, y_stride, n_rows, n_cols,
    ALIGN: tl.constexpr, PARTS: tl.constexpr, RANKS: tl.constexpr, BLOCKS: tl.constexpr, BLOCK: tl.constexpr,
    ACC: tl.constexpr, LOG: tl.constexpr,
):  # fmt: skip
    n_cols, dx_stride = as_int64(n_cols) * ALIGN, as_int64(dx_stride) * ALIGN
    dy_stride, y_stride = as_int64(dy_stride) * ALIGN, as_int64(y_stride) * ALIGN
    row = tl.program_id(0).to(tl.int64) // BLOCKS
    columns = tl.program_id(0) % BLOCKS * as_int64(BLOCK) + tl.arange(0, BLOCK)
    dy = tl.load(dy_ptr + row * dy_stride + columns, mask=columns < n_cols, other=0.0).to(ACC)
    y = tl.load(y_ptr + row * y_stride + columns, mask=columns < n_cols, other=0.0).to(ACC)
    at, there = everybodys(row, n_rows, PARTS, RANKS)
    s = tl.sum(tl.load(sums_ptr + at, mask=there, other=0.0), axis=0)
    tl.store(dx_ptr + row * dx_stride + columns, _gradient(y, dy, s, LOG), mask=columns < n_cols)


def gradient_of_rows(dx, dy, y, ranks, agreed, log: bool) -> None:
    """The gradient for this rank's columns into `dx`."""
    n_rows = len(y)
    parts = parts_of(n_rows, max(agreed.widths))
    sums = torch.empty((n_rows, parts), dtype=torch.promote_types(y.dtype, torch.float32), device=y.device)
    strides, columns, blocks, constants = sizes_of((dx, dy, y), y.element_size())
    constants |= {"PARTS": parts, "LOG": log}
    with quiet(), tiles.on(y):
        sums_kernel[(n_rows * parts,)](sums, dy, y, *strides[1:], columns, **constants, num_warps=8)
        sums = ranks.gather(sums)
        if columns:
            constants |= {"RANKS": ranks.size, "BLOCKS": blocks}
            gradient_kernel[(n_rows * blocks,)](dx, dy, y, sums, *strides, n_rows, columns, **constants, num_warps=8)
