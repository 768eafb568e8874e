"""Copies that lack something, and a chase: kernels of the experiment `copying`. 02 shows them."""

from ...backend import tl, triton


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


@triton.jit
def write_kernel(y_ptr, n, BLOCK: tl.constexpr):
    places = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + places, 1.0, mask=places < n)
