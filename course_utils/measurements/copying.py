"""Copies with one knob each: what a copy's speed depends on.

stay: so many programs of one warp, each a loop over 512-byte pieces, one piece under way at a time. apart: every `apart`-th
element is read, those written lie side by side. chase: one lane follows `steps` addresses, each of which it has to load first.
"""

from functools import partial

import torch

from ..backend import tl, triton
from .bench import compare, every, inputs_for, timed_line

ROWS = 4096
PROGRAMS = tuple(132 * 2**k for k in range(6))
APART = (1, 8)
STEPS = (1000, 5000)
JUMP = 7 * 2**18 + 96  # elements from one address of a chase to the next: another page, another line
CASES = every(way=("chase", "stay", "apart"))
Line = timed_line(way=str, rows=int, columns=int, dtype=str, programs=int, apart=int, steps=int, state=str)


@triton.jit
def staying_copy_kernel(y_ptr, x_ptr, n, BLOCK: tl.constexpr):
    for start in range(tl.program_id(0) * BLOCK, n, tl.num_programs(0) * BLOCK):
        places = start + tl.arange(0, BLOCK)
        inside = places < n
        x = tl.load(x_ptr + places, mask=inside)
        tl.store(y_ptr + places, x, mask=inside)


@triton.jit
def copy_apart_kernel(y_ptr, x_ptr, n, apart, BLOCK: tl.constexpr):
    places = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = places < n
    x = tl.load(x_ptr + places * apart, mask=inside)
    tl.store(y_ptr + places, x, mask=inside)


@triton.jit
def chase_kernel(y_ptr, x_ptr, steps):
    place = 0
    for _ in range(steps):
        place = tl.load(x_ptr + place)
    tl.store(y_ptr, place)


def measure(way):
    state, dtype = ("clean", "int32") if way == "chase" else ("sustained", "float32")
    for columns, functions in asked(way).items():

        def inputs(columns=columns):
            given = inputs_for(ROWS, columns, "float32", "cuda")
            return [chain(x) for x in given] if way == "chase" else given

        for (knobs, _), timing in compare(functions, inputs, (state,)).items():
            yield Line(way, ROWS, columns, dtype, *knobs, state, **timing.us)


def asked(way) -> dict:
    """{columns: {(programs, apart, steps): a function}}."""
    if way == "stay":
        return {8192: {(k, 1, 0): partial(staying_copy, programs=k) for k in PROGRAMS}}
    if way == "chase":
        return {65536: {(1, 1, steps): partial(chase, steps) for steps in STEPS}}
    return {1024 * k: {(0, k, 0): partial(copy_apart, k)} for k in APART}  # of wider rows, as many elements


def staying_copy(x, programs):
    y = torch.empty_like(x)
    staying_copy_kernel[(programs,)](y, x, x.numel(), BLOCK=128, num_warps=1)
    return y


def copy_apart(apart, x):
    y = x.new_empty(x.numel() // apart)
    copy_apart_kernel[(triton.cdiv(y.numel(), 1024),)](y, x, y.numel(), apart, BLOCK=1024)
    return y


def chase(steps, x):
    y = torch.empty(1, dtype=torch.int32, device=x.device)
    chase_kernel[(1,)](y, x, steps, num_warps=1)
    return y


def chain(x):
    """Of as many elements as `x`: each says where the next one is."""
    n = x.numel()
    return ((torch.arange(n, dtype=torch.int64, device=x.device) + JUMP) % n).to(torch.int32)
