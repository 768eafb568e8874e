"""Kernels that do nothing but move bytes, or nothing at all, and launches of `softmax` made by hand: what others are held against.

Not `torch.clone`, which leaves it to the driver's memcpy: that has a start of its own, and in a CUDA graph it is slow beyond
128 MB.
"""

from dataclasses import replace

import torch

from ...backend import tl, triton
from ...softmax.choose import Gpu, Shape, gpu_of
from ...softmax.combine import wait_for_the_kernel_before

BLOCK, WARPS = 8192, 8


@triton.jit
def empty_kernel():
    pass


@triton.jit
def copy_kernel(
    y_ptr,
    x_ptr,
    n,
    BLOCK: tl.constexpr,
    EARLY: tl.constexpr,
    LOAD_HINT: tl.constexpr = "",
    STORE_HINT: tl.constexpr = "",
):
    wait_for_the_kernel_before(EARLY)
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, eviction_policy=LOAD_HINT)
    tl.store(y_ptr + i, x, mask=i < n, eviction_policy=STORE_HINT)


@triton.jit
def read_kernel(top_ptr, x_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    top = tl.max(tl.load(x_ptr + i, mask=i < n, other=-float("inf")).to(tl.float32), axis=0)
    tl.store(top_ptr + tl.program_id(0), top)


def copy(x, early=False, block=BLOCK, warps=WARPS, hints=("", "")):
    """One in, one out. `early`: set up while the kernel before it still works, as `softmax` is where the GPU can."""
    y = torch.empty_like(x)
    pdl = {"launch_pdl": True} if early else {}
    constants = {"BLOCK": block, "EARLY": early, "LOAD_HINT": hints[0], "STORE_HINT": hints[1]}
    copy_kernel[_grid(x, block)](y, x, x.numel(), **constants, num_warps=warps, **pdl)
    return y


def read(x):
    """One in; out come the largest elements, one of every BLOCK."""
    tops = torch.empty(_grid(x), dtype=torch.float32, device=x.device)
    read_kernel[_grid(x)](tops, x, x.numel(), BLOCK=BLOCK, num_warps=WARPS)
    return tops


def _grid(x, block=BLOCK) -> tuple[int]:
    return (triton.cdiv(x.numel(), block),)


def shape_of(rows: int, columns: int, dtype: str) -> Shape:
    """Dense rows that begin on the grid."""
    return Shape(rows, columns, getattr(torch, dtype).itemsize, columns)


def late_gpu() -> Gpu:
    """The GPU here, where nothing starts early."""
    return replace(gpu_of(torch.device("cuda", 0)), early=False)


def launched(launch):
    """A function of an input that launches so."""

    def run(x):
        y = x.new_empty(x.shape)
        if not launch.short or not launch.short(y.data_ptr(), x.data_ptr()):
            launch(y, x)
        return y

    return run
