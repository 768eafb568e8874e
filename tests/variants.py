"""Kernels of several kinds, in many variants, for the tests that compare a model with what a compiler or a driver says."""

import itertools

from course_utils.backend import tl, triton
from course_utils.compiler import Pointer

FP32, FP16 = Pointer("float32"), Pointer("float16")


@triton.jit
def softmax(y_ptr, x_ptr, y_stride, x_stride, n_rows, n_cols, BLOCK: tl.constexpr, STAGES: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    mask = offsets < n_cols
    for row in tl.range(tl.program_id(0), n_rows, tl.num_programs(0), num_stages=STAGES):
        x = tl.load(x_ptr + row * x_stride + offsets, mask=mask, other=-float("inf")).to(tl.float32)
        e = tl.exp(x - tl.max(x, axis=0))
        tl.store(y_ptr + row * y_stride + offsets, e / tl.sum(e, axis=0), mask=mask)


@triton.jit
def layer_norm(y_ptr, x_ptr, w_ptr, b_ptr, stride, n, eps, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + tl.program_id(0) * stride + offsets, mask=mask, other=0.0).to(tl.float32)
    centred = tl.where(mask, x - tl.sum(x, axis=0) / n, 0.0)
    scale = 1 / tl.sqrt(tl.sum(centred * centred, axis=0) / n + eps)
    y = centred * scale * tl.load(w_ptr + offsets, mask=mask) + tl.load(b_ptr + offsets, mask=mask)
    tl.store(y_ptr + tl.program_id(0) * stride + offsets, y, mask=mask)


@triton.jit
def column_sum(y_ptr, x_ptr, n_rows, n_cols, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    columns = tl.program_id(0) * COLUMNS + tl.arange(0, COLUMNS)
    total = tl.zeros((COLUMNS,), dtype=tl.float32)
    for start in range(0, n_rows, ROWS):
        rows = start + tl.arange(0, ROWS)
        mask = (rows[:, None] < n_rows) & (columns[None, :] < n_cols)
        total += tl.sum(tl.load(x_ptr + rows[:, None] * n_cols + columns[None, :], mask=mask, other=0.0), axis=0)
    tl.store(y_ptr + columns, total, mask=columns < n_cols)


@triton.jit
def matmul(c_ptr, a_ptr, b_ptr, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    rows = tl.program_id(0) * M + tl.arange(0, M)
    columns = tl.program_id(1) * N + tl.arange(0, N)
    inner = tl.arange(0, K)
    total = tl.zeros((M, N), dtype=tl.float32)
    for start in range(0, k, K):
        a = tl.load(a_ptr + rows[:, None] * k + (start + inner)[None, :])
        b = tl.load(b_ptr + (start + inner)[:, None] * n + columns[None, :])
        total = tl.dot(a, b, total)
    tl.store(c_ptr + rows[:, None] * n + columns[None, :], total)


def softmaxes(warp_size, blocks, warps, stages, most_elements=64):
    for block, num_warps, depth in itertools.product(blocks, warps, stages):
        if block // (num_warps * warp_size) <= most_elements:  # wider takes minutes to compile
            n = block - 3
            yield softmax, (FP32, FP32, n, n, 4096, n), {"BLOCK": block, "STAGES": depth, "num_warps": num_warps}


def others(tiles, depths, blocks):
    for (m, n, k, num_warps), depth in itertools.product(tiles, depths):
        yield (
            matmul,
            (FP32, FP16, FP16, 512, 512, 512),
            {"M": m, "N": n, "K": k, "num_warps": num_warps, "num_stages": depth},
        )
    for block, num_warps in blocks:
        yield layer_norm, (FP32, FP32, FP32, FP32, block, block - 1, 1e-5), {"BLOCK": block, "num_warps": num_warps}
        yield column_sum, (FP32, FP32, 999, 999), {"ROWS": block // 64, "COLUMNS": 64, "num_warps": num_warps}
