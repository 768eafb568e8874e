"""Three kernels that start early, one after another: A writes x late, B needs nothing of A, C reads x. Who must wait?"""

from statistics import median

import torch

from ..backend import tl, triton
from .bench import every, line_of

TRIES, SIZE, BLOCK = 100, 1 << 16, 1024
NANOSECONDS = 1_000_000  # that A takes; the host has launched all three long before
CASES = every(waits=("ABC", "AC", "A"))
# who waits; in microseconds from A's begin, medians: B's end, C's begin, C's first read, A's end; how many copies of x are right
Line = line_of(waits=str, b_ends=float, c_begins=float, c_reads=float, a_ends=float, right=int, of=int)


@triton.jit
def a_kernel(x_ptr, at_ptr, nanoseconds, BLOCK: tl.constexpr):
    tl.extra.cuda.gdc_wait()
    tl.extra.cuda.gdc_launch_dependents()
    begin = tl.extra.cuda.globaltimer()
    tl.store(at_ptr, begin)
    while tl.extra.cuda.globaltimer() < begin + nanoseconds:
        pass
    tl.store(x_ptr + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK), 1.0)
    tl.store(at_ptr + 4, tl.extra.cuda.globaltimer())


@triton.jit
def b_kernel(at_ptr, WAITS: tl.constexpr):
    if WAITS:
        tl.extra.cuda.gdc_wait()
    tl.extra.cuda.gdc_launch_dependents()
    tl.store(at_ptr + 1, tl.extra.cuda.globaltimer())


@triton.jit
def c_kernel(y_ptr, x_ptr, at_ptr, BLOCK: tl.constexpr, WAITS: tl.constexpr):
    tl.store(at_ptr + 2, tl.extra.cuda.globaltimer())
    if WAITS:
        tl.extra.cuda.gdc_wait()
    tl.store(at_ptr + 3, tl.extra.cuda.globaltimer())
    places = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + places, tl.load(x_ptr + places))


def measure(waits):
    _chain(waits)  # compiles
    times, right = zip(*(_chain(waits) for _ in range(TRIES)))
    yield Line(waits, *(round(median(each) / 1000, 1) for each in zip(*times)), sum(right), TRIES)


def _chain(waits: str) -> tuple[list[int], bool]:
    x, y = (torch.zeros(SIZE, device="cuda") for _ in range(2))
    at = torch.zeros(5, dtype=torch.int64, device="cuda")
    torch.cuda.synchronize()
    grid, early = (SIZE // BLOCK,), {"num_warps": 4, "launch_pdl": True}
    a_kernel[grid](x, at, NANOSECONDS, BLOCK=BLOCK, **early)
    b_kernel[1,](at, WAITS="B" in waits, **early)
    c_kernel[grid](y, x, at, BLOCK=BLOCK, WAITS="C" in waits, **early)
    begin, *times = at.tolist()
    return [time - begin for time in times], bool((y == 1).all())
