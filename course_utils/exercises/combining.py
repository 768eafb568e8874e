"""A helper for kernels, such as what merges two parts of a row: two kernels call it, one for two parts, one in a `tl.reduce` over several."""

import torch

from ..backend import tl, triton
from . import launch


@triton.jit
def _two_kernel(out_ptr, in_ptr):
    a1, b1, c1 = tl.load(in_ptr), tl.load(in_ptr + 1), tl.load(in_ptr + 2)
    a2, b2, c2 = tl.load(in_ptr + 3), tl.load(in_ptr + 4), tl.load(in_ptr + 5)
    a, b, c = _combine(a1, b1, c1, a2, b2, c2)  # noqa: F821
    tl.store(out_ptr, a)
    tl.store(out_ptr + 1, b)
    tl.store(out_ptr + 2, c)


@triton.jit
def _several_kernel(out_ptr, in_ptr, N: tl.constexpr):
    k = tl.arange(0, N) * 3
    parts = (tl.load(in_ptr + k), tl.load(in_ptr + k + 1), tl.load(in_ptr + k + 2))
    a, b, c = tl.reduce(parts, 0, _combine)  # noqa: F821
    tl.store(out_ptr, a)
    tl.store(out_ptr + 1, b)
    tl.store(out_ptr + 2, c)


def combine(program, given: dict, exercise) -> dict:
    globals()["_combine"] = program
    parts = torch.tensor(given["parts"]).float()
    out = torch.full((3,), launch.UNTOUCHED)
    try:
        if len(parts) == 2:
            _two_kernel[(1,)](out, parts)
        else:
            _several_kernel[(1,)](out, parts, N=len(parts))
    except Exception as error:  # some Tritons wrap it
        if "unpack" in str(error):
            return {"value": []}
        raise
    return {"value": out.tolist()}
