"""Three kernels in a row, the last of which reads what the first wrote: what it finds, by what the one between does before it starts the
last early. It waits and then lets the next one in; or the other way round; or it lets the next one in and never waits.
"""

from dataclasses import dataclass

from ..backend import tl, triton

BETWEEN = ("late", "wait, let in", "let in, wait", "let in")
PROGRAMS, BLOCK, ROUNDS = 16, 1024, 200
NANOSECONDS = 200_000  # that the first kernel takes: by then the host has launched the others


@dataclass(frozen=True)
class Line:
    between: str  # what the second kernel does; late: nobody starts early
    rounds: int
    wrong: int  # rounds in which the last kernel read anything old


@triton.jit
def write_slowly_kernel(x_ptr, value, NANOSECONDS: tl.constexpr, EARLY: tl.constexpr, BLOCK: tl.constexpr):
    if EARLY:
        tl.extra.cuda.gdc_launch_dependents()
    begun = tl.extra.cuda.globaltimer()
    now = begun
    while now - begun < NANOSECONDS:
        now = tl.extra.cuda.globaltimer()
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x_ptr + i, tl.full((BLOCK,), value, tl.float32))


@triton.jit
def clear_kernel(buffer_ptr, WAITS: tl.constexpr, LETS_IN: tl.constexpr, BLOCK: tl.constexpr):
    """Needs nothing of the kernel before it. WAITS and LETS_IN say when it waits for it and lets the next one in: 0 is never."""
    for step in tl.static_range(1, 3):
        if step == WAITS:
            tl.extra.cuda.gdc_wait()
        if step == LETS_IN:
            tl.extra.cuda.gdc_launch_dependents()
    tl.store(buffer_ptr + tl.arange(0, BLOCK), tl.zeros((BLOCK,), tl.float32))


@triton.jit
def read_kernel(y_ptr, x_ptr, EARLY: tl.constexpr, BLOCK: tl.constexpr):
    if EARLY:
        tl.extra.cuda.gdc_wait()
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i))


def cases():
    return [{"between": each} for each in BETWEEN]


def measure(between):
    import torch

    x = torch.zeros(PROGRAMS * BLOCK, device="cuda")
    y, buffer = torch.empty_like(x), torch.empty(BLOCK, device="cuda")
    early = between != "late"
    options = {"launch_pdl": True} if early else {}
    wrong = 0
    for value in range(1, ROUNDS + 2):
        write_slowly_kernel[(PROGRAMS,)](x, float(value), NANOSECONDS=NANOSECONDS, EARLY=early, BLOCK=BLOCK)
        clear_kernel[(1,)](buffer, *steps(between), BLOCK=BLOCK, **options)
        read_kernel[(PROGRAMS,)](y, x, EARLY=early, BLOCK=BLOCK, **options)
        torch.cuda.synchronize()
        if value > 1:  # the first round compiles
            wrong += int((y != value).any())
    yield Line(between, ROUNDS, wrong)


def steps(between: str) -> tuple[int, int]:
    """When the kernel between waits, and when it lets the next one in."""
    return {"late": (0, 0), "wait, let in": (1, 2), "let in, wait": (2, 1), "let in": (0, 1)}[between]
