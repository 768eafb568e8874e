"""A copy, made by a kernel: what a softmax is held against.

Not `torch.clone`, which leaves it to the driver's memcpy: that has a start of its own, and in a CUDA graph it is slow beyond
128 MB.
"""

import torch

from ..backend import tl, triton

BLOCK, WARPS = 8192, 8


@triton.jit
def copy_kernel(y_ptr, x_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)


def copy(x):
    y = torch.empty_like(x)
    copy_kernel[(triton.cdiv(x.numel(), BLOCK),)](y, x, x.numel(), BLOCK=BLOCK, num_warps=WARPS)
    return y
