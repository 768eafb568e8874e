"""The gradients of softmax and log-softmax need one sum over the whole row: one number a row from every rank, in one message.

As in `split`, two kernels: the first sums parts of this rank's columns, the second adds up everybody's and writes.
"""

import torch

from ...backend import mode, tl, triton
from .. import tiles
from ..backward import _gradient, _summand
from ..combine import as_int64
from ..launch import quiet
from ..split import parts_of, places_of


@triton.jit
def gradient_kernel(
    dx_ptr, dy_ptr, y_ptr, sums_ptr, dx_stride, dy_stride, y_stride, n_cols,
    ALIGN: tl.constexpr, PARTS: tl.constexpr, RANKS: tl.constexpr, BLOCK: tl.constexpr, ACC: tl.constexpr, LOG: tl.constexpr,
):  # fmt: skip
    """With RANKS = 0 the sum of a part; else the gradient, from the sums of all parts on all ranks."""
    n_cols, dx_stride = as_int64(n_cols) * ALIGN, as_int64(dx_stride) * ALIGN
    dy_stride, y_stride = as_int64(dy_stride) * ALIGN, as_int64(y_stride) * ALIGN
    row, part = tl.program_id(0).to(tl.int64) // PARTS, tl.program_id(0) % PARTS
    sums = tl.zeros((BLOCK,), ACC)
    if RANKS > 0:
        at, there = places_of(row, PARTS, RANKS)
        s = tl.sum(tl.load(sums_ptr + at, mask=there, other=0.0), axis=0)
    for start in tl.range(part.to(tl.int64) * BLOCK, n_cols, PARTS * BLOCK):
        columns = start + tl.arange(0, BLOCK)
        dy = tl.load(dy_ptr + row * dy_stride + columns, mask=columns < n_cols, other=0.0).to(ACC)
        y = tl.load(y_ptr + row * y_stride + columns, mask=columns < n_cols, other=0.0).to(ACC)
        if RANKS > 0:
            tl.store(dx_ptr + row * dx_stride + columns, _gradient(y, dy, s, LOG), mask=columns < n_cols)
        else:
            sums += _summand(y, dy, LOG)
    if RANKS == 0:
        tl.store(sums_ptr + row * PARTS + part, tl.sum(sums, axis=0))


def gradient_of_rows(dx, dy, y, ranks, agreed, log: bool) -> None:
    """The gradient for this rank's columns into `dx`."""
    n_rows, n_cols = y.shape
    block = 32768 if mode == "interpreter" else 16384 // y.element_size()
    parts = parts_of(n_rows, max(agreed.widths), block)
    sums = torch.empty((n_rows, parts), dtype=torch.promote_types(y.dtype, torch.float32), device=y.device)
    align = tiles.alignment(dx, dy, y)
    sizes = (*(tiles.row_stride(each) // align for each in (dx, dy, y)), n_cols // align)
    constants = {"ALIGN": align, "PARTS": parts, "BLOCK": block, "ACC": tiles.accumulator(y.dtype), "LOG": log}
    with quiet(), tiles.on(y):
        for ranks_known in (0, ranks.size):
            gradient_kernel[(n_rows * parts,)](dx, dy, y, sums, *sizes, **constants, RANKS=ranks_known, num_warps=8)
            sums = sums if ranks_known else ranks.gather(sums)
