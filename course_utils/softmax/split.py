"""Rows of any width on any GPU: two launches, and the row is read twice.

The first finds the maximum and the sum of every part of a row, the second brings the parts together and writes the answer.
No program waits for another, so it runs wherever Triton does; what is missing to the speed of a copy is the second reading.
"""

import torch

from ..backend import mode, tl, triton
from . import tiles
from .choose import Gpu, gpu_of, options
from .combine import answer, as_int64, exponential, finite, merge, wait_for_the_kernel_before
from .launch import quiet


@triton.jit
def places_of(row, PARTS: tl.constexpr, RANKS: tl.constexpr):
    """Where what is known of a row's parts lies, and which of these places there are: the parts of one GPU, and then of the next."""
    k = tl.arange(0, triton.next_power_of_2(RANKS * PARTS))
    n_rows = tl.num_programs(0) // PARTS
    return (k // PARTS * as_int64(n_rows) + row) * PARTS + k % PARTS, k < RANKS * PARTS


@triton.jit
def parts_kernel(parts_ptr, x_ptr, x_stride, n_cols, ALIGN: tl.constexpr, PARTS: tl.constexpr, BLOCK: tl.constexpr,
                 ACC: tl.constexpr, EARLY: tl.constexpr):  # fmt: skip
    n_cols, x_stride = as_int64(n_cols) * ALIGN, as_int64(x_stride) * ALIGN
    row, part = tl.program_id(0).to(tl.int64) // PARTS, tl.program_id(0) % PARTS
    wait_for_the_kernel_before(EARLY)
    m = tl.full((), -float("inf"), ACC)
    s = tl.full((), 0.0, ACC)
    for start in tl.range(part.to(tl.int64) * BLOCK, n_cols, PARTS * BLOCK):
        columns = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * x_stride + columns, mask=columns < n_cols, other=-float("inf")).to(ACC)
        m_block = tl.max(x, axis=0)
        m, s = merge(m, s, m_block, tl.sum(exponential(x, finite(m_block)), axis=0))
    tl.store(parts_ptr + (row * PARTS + part) * 2, m)
    tl.store(parts_ptr + (row * PARTS + part) * 2 + 1, s)


@triton.jit
def finish_kernel(y_ptr, x_ptr, parts_ptr, y_stride, x_stride, n_cols, ALIGN: tl.constexpr, PARTS: tl.constexpr,
                  BLOCK: tl.constexpr, ACC: tl.constexpr, LOG: tl.constexpr, EARLY: tl.constexpr,
                  RANKS: tl.constexpr = 1):  # fmt: skip
    n_cols, x_stride, y_stride = as_int64(n_cols) * ALIGN, as_int64(x_stride) * ALIGN, as_int64(y_stride) * ALIGN
    row, part = tl.program_id(0).to(tl.int64) // PARTS, tl.program_id(0) % PARTS
    k, there = places_of(row, PARTS, RANKS)
    wait_for_the_kernel_before(EARLY)
    m_parts = tl.load(parts_ptr + 2 * k, mask=there, other=-float("inf"))
    s_parts = tl.load(parts_ptr + 2 * k + 1, mask=there, other=0.0)
    m = finite(tl.max(m_parts, axis=0))
    s = tl.sum(s_parts * exponential(m_parts, m), axis=0)
    for start in tl.range(part.to(tl.int64) * BLOCK, n_cols, PARTS * BLOCK):
        columns = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * x_stride + columns, mask=columns < n_cols, other=-float("inf")).to(ACC)
        tl.store(y_ptr + row * y_stride + columns, answer(x, exponential(x, m), m, s, LOG), mask=columns < n_cols)


def finish(pairs, x):
    """The second launch alone: the softmax of rows `x`, of whose parts `pairs` holds maximum and sum."""
    (n_rows, n_cols), parts, y = x.shape, pairs.shape[1], torch.empty_like(x)
    block = triton.next_power_of_2(triton.cdiv(n_cols, parts))
    constants = {"ALIGN": 1, "PARTS": parts, "BLOCK": block, "ACC": tl.float32, "LOG": False, "EARLY": False}
    finish_kernel[(n_rows * parts,)](y, x, pairs, y.stride(0), x.stride(0), n_cols, **constants)
    return y


def parts_of(n_rows: int, n_cols: int, block: int) -> int:
    """Parts of a row: enough that a GPU has something to do, and fewer than twice as many as blocks."""
    parts = 1
    while n_rows * parts < 1024 and parts * block < n_cols and parts < 256:
        parts *= 2
    return parts


def split(y, x, log: bool = False, ranks=None, widest: int = 0) -> None:
    """The softmax of rows `x`, or its logarithm, into dense rows `y`.

    With `ranks`, each holds some columns of every row, `widest` at most, and hands what it found to all others (see `sharded`).
    """
    (n_rows, n_cols), align = x.shape, tiles.alignment(y, x)
    widest = widest or n_cols
    block = 32768 if mode == "interpreter" else min(4096, max(512, triton.next_power_of_2(widest)))
    parts = parts_of(n_rows, widest, block)
    gpu = gpu_of(x.device) if ranks is None else Gpu()  # what comes between the kernels there does not start early
    constants = {"ALIGN": align, "PARTS": parts, "BLOCK": block, "ACC": tiles.accumulator(x.dtype)}
    constants |= {"EARLY": gpu.early, **options(min(8, block // 512), gpu)}
    held = torch.empty((n_rows, parts, 2), dtype=torch.promote_types(x.dtype, torch.float32), device=x.device)
    sizes = n_cols // align, tiles.row_stride(x) // align, n_cols // align
    with quiet():
        parts_kernel[(n_rows * parts,)](held, x, *sizes[1:], **constants)
        if ranks is not None:
            held, constants["RANKS"] = ranks.gather(held), ranks.size
        finish_kernel[(n_rows * parts,)](y, x, held, *sizes, **constants, LOG=log)
