"""What an early start of `softmax` saves, by the kernel before it: one that lets nobody in before its end, or one that does."""

from functools import partial

import torch

from ..backend import triton
from ..softmax.choose import gpu_of, launch_for
from .bench import compare, copy, every, inputs_for, late_gpu, launched, shape_of, timed_line
from .bench.kernels import BLOCK, WARPS, copy_kernel

SHAPE = 4096, 256, "float32"
Line = timed_line(before=str, early=int)


def inviting_copy(x):
    """A copy that lets the next kernel in, and does not start early itself."""
    y, grid = torch.empty_like(x), (triton.cdiv(x.numel(), BLOCK),)
    copy_kernel[grid](y, x, x.numel(), BLOCK=BLOCK, EARLY=True, num_warps=WARPS)
    return y


BEFORE = {"copy": copy, "copy that lets in": inviting_copy}
CASES = every(before=BEFORE)


def measure(before):
    shape, first = shape_of(*SHAPE), BEFORE[before]
    gpus = {0: late_gpu(), 1: gpu_of(torch.device("cuda", 0))}
    softmaxes = {early: launched(launch_for(shape, gpu)) for early, gpu in gpus.items()}
    pairs = {early: lambda x, softmax=softmax: softmax(first(x)) for early, softmax in softmaxes.items()}
    for (early, _), timing in compare(pairs, partial(inputs_for, *SHAPE, "cuda"), rounds=5).items():
        yield Line(before, early, **timing.us)
