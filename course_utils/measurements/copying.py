"""Copies with one knob each: what a copy's speed depends on.

read, write: half of a copy alone. stay: so many programs of one warp, each a loop over 512-byte pieces, one piece under way at
a time. apart: every `apart`-th element is read, those written lie side by side. chase: one lane follows `steps` addresses, each
of which it has to load first.
"""

from dataclasses import dataclass
from functools import partial

ROWS, COLUMNS = 4096, 8192
PROGRAMS = tuple(132 * 2**k for k in range(6))
APART = (1, 2, 4, 8, 16, 32)
FEWER = 1024  # columns that are written where elements lie apart
STEPS = (1000, 5000)
PIECE = 128  # elements
JUMP = 7 * 2**18 + 96  # elements from one address of a chase to the next: another page, another line


@dataclass(frozen=True)
class Line:
    way: str
    rows: int
    columns: int
    dtype: str
    programs: int
    apart: int
    steps: int
    state: str
    median_us: float
    low_us: float
    high_us: float


def cases():
    return [{"way": way} for way in ("chase", "stay", "apart", "read", "write")]


def measure(way):
    from .bench.stopwatch import compare

    state, dtype = ("clean", "int32") if way == "chase" else ("sustained", "float32")
    for rows, columns, functions in _asked(way):
        found = compare(functions, partial(_inputs, way, rows, columns), (state,))
        for knobs, _ in found:
            yield Line(way, rows, columns, dtype, *knobs, state, **found[knobs, state].us)


def _inputs(way, rows, columns) -> list:
    from .bench.stopwatch import inputs_for

    inputs = inputs_for(rows, columns, "float32", "cuda")
    return [chain(x) for x in inputs] if way == "chase" else inputs


def _asked(way):
    """(rows, columns, {(programs, apart, steps): a function})."""
    from .bench import kernels

    if way == "stay":
        yield ROWS, COLUMNS, {(k, 1, 0): partial(staying_copy, programs=k) for k in PROGRAMS}
    elif way == "apart":
        for k in APART:
            yield ROWS, k * FEWER, {(0, k, 0): partial(copy_apart, apart=k)}
    elif way == "chase":
        yield ROWS, 65536, {(1, 1, steps): partial(chase, steps=steps) for steps in STEPS}
    else:
        yield ROWS, COLUMNS, {(0, 1, 0): kernels.read if way == "read" else write}


def staying_copy(x, programs):
    import torch

    y = torch.empty_like(x)
    _kernels().staying_copy_kernel[(programs,)](y, x, x.numel(), BLOCK=PIECE, num_warps=1)
    return y


def copy_apart(x, apart):
    import torch

    from ..backend import triton

    y = torch.empty(x.numel() // apart, dtype=x.dtype, device=x.device)
    grid = (triton.cdiv(y.numel(), 1024),)
    _kernels().copy_apart_kernel[grid](y, x, y.numel(), apart, BLOCK=1024)
    return y


def chase(x, steps):
    import torch

    y = torch.empty(1, dtype=torch.int32, device=x.device)
    _kernels().chase_kernel[(1,)](y, x, steps, num_warps=1)
    return y


def write(x):
    import torch

    from ..backend import triton

    y = torch.empty_like(x)
    _kernels().write_kernel[(triton.cdiv(x.numel(), 4096),)](y, x.numel(), BLOCK=4096)
    return y


def chain(x):
    """Of as many elements as `x`: each says where the next one is."""
    import torch

    n = x.numel()
    return ((torch.arange(n, dtype=torch.int64, device=x.device) + JUMP) % n).to(torch.int32)


def _kernels():
    from .bench import copies

    return copies
