"""From a plain tile to what `softmax` launches, a change at a time: the kernels on the way, and what each step launches for a shape.

The last step is `rows`, or `ragged` where rows begin off the grid, launched late: what `softmax` launches wherever a program
holds a row.
"""

from dataclasses import replace

import torch

from ..backend import tl, triton
from .choose import Gpu, Shape, alone
from .combine import LOG2_E, as_int64, finite, greatest, total
from .early import wait_for_the_kernel_before
from .launch import Launch, quiet
from .ragged import body_of, ends_of
from .tile import tile_kernel
from .two_passes import merge

__all__ = [
    "LOG2_E",
    "as_int64",
    "compile_step",
    "finite",
    "greatest",
    "launch_for",
    "run_step",
    "tile_kernel",
    "total",
    "wait_for_the_kernel_before",
]  # what a notebook's own copies of the kernels need, and the kernels on the way

H100 = Gpu(132, cuda=True, early=True, cache=50 << 20)
STEPS = ("pieces", "wide", "hint", "peeled", "powers")


@triton.jit
def pieces_kernel(
    y_ptr, x_ptr, y_stride, x_stride, n_rows, n_cols,
    ROWS: tl.constexpr, PIECES: tl.constexpr, PIECE: tl.constexpr,
):  # fmt: skip
    row = tl.program_id(0).to(tl.int64) * ROWS + tl.arange(0, ROWS)[:, None]
    mine = tl.minimum(row, n_rows - 1)  # past the last row: read that one again, and write nothing
    columns = tl.arange(0, PIECE)[None, :]
    pieces = ()
    for i in tl.static_range(PIECES):
        c = i * PIECE + columns
        x = tl.load(x_ptr + mine * x_stride + c, mask=c < n_cols, other=-float("inf"))
        pieces += (x.to(tl.float32),)
    m = tl.max(greatest(pieces, PIECES), axis=1)[:, None]
    numerators = ()
    for i in tl.static_range(PIECES):
        numerators += (tl.exp(pieces[i] - m),)
    s = tl.sum(total(numerators, PIECES), axis=1)[:, None]
    for i in tl.static_range(PIECES):
        c = i * PIECE + columns
        y = numerators[i] / s
        tl.store(y_ptr + row * y_stride + c, y, mask=(c < n_cols) & (row < n_rows))


@triton.jit
def wide_kernel(
    y_ptr, x_ptr, y_stride, x_stride, n_rows, n_cols,
    ALIGN: tl.constexpr, ROWS: tl.constexpr, PIECES: tl.constexpr, PIECE: tl.constexpr,
):  # fmt: skip
    # The sizes arrive divided by ALIGN. Multiplied here, the compiler knows what they are divisible by: wide loads.
    n_cols, x_stride, y_stride = n_cols * ALIGN, as_int64(x_stride) * ALIGN, as_int64(y_stride) * ALIGN
    row = tl.program_id(0).to(tl.int64) * ROWS + tl.arange(0, ROWS)[:, None]
    mine = tl.minimum(row, n_rows - 1)  # past the last row: read that one again, and write nothing
    columns = tl.arange(0, PIECE)[None, :]
    pieces = ()
    for i in tl.static_range(PIECES):
        c = i * PIECE + columns
        x = tl.load(x_ptr + mine * x_stride + c, mask=c < n_cols, other=-float("inf"))
        pieces += (x.to(tl.float32),)
    m = tl.max(greatest(pieces, PIECES), axis=1)[:, None]
    numerators = ()
    for i in tl.static_range(PIECES):
        numerators += (tl.exp(pieces[i] - m),)
    s = tl.sum(total(numerators, PIECES), axis=1)[:, None]
    for i in tl.static_range(PIECES):
        c = i * PIECE + columns
        y = numerators[i] / s
        tl.store(y_ptr + row * y_stride + c, y, mask=(c < n_cols) & (row < n_rows))


@triton.jit
def hint_kernel(
    y_ptr, x_ptr, y_stride, x_stride, n_rows, n_cols,
    ALIGN: tl.constexpr, ROWS: tl.constexpr, PIECES: tl.constexpr, PIECE: tl.constexpr, HINT: tl.constexpr,
):  # fmt: skip
    # The sizes arrive divided by ALIGN. Multiplied here, the compiler knows what they are divisible by: wide loads.
    n_cols, x_stride, y_stride = n_cols * ALIGN, as_int64(x_stride) * ALIGN, as_int64(y_stride) * ALIGN
    row = tl.program_id(0).to(tl.int64) * ROWS + tl.arange(0, ROWS)[:, None]
    mine = tl.minimum(row, n_rows - 1)  # past the last row: read that one again, and write nothing
    columns = tl.arange(0, PIECE)[None, :]
    pieces = ()
    for i in tl.static_range(PIECES):
        c = i * PIECE + columns
        x = tl.load(x_ptr + mine * x_stride + c, mask=c < n_cols, other=-float("inf"), eviction_policy=HINT)
        pieces += (x.to(tl.float32),)
    m = tl.max(greatest(pieces, PIECES), axis=1)[:, None]
    numerators = ()
    for i in tl.static_range(PIECES):
        numerators += (tl.exp(pieces[i] - m),)
    s = tl.sum(total(numerators, PIECES), axis=1)[:, None]
    for i in tl.static_range(PIECES):
        c = i * PIECE + columns
        y = numerators[i] / s
        tl.store(y_ptr + row * y_stride + c, y, mask=(c < n_cols) & (row < n_rows), eviction_policy="evict_first")


@triton.jit
def peeled_kernel(
    y_ptr, x_ptr, n_rows, n_cols,
    VECTOR: tl.constexpr, ROWS: tl.constexpr, PIECES: tl.constexpr, PIECE: tl.constexpr, HINT: tl.constexpr,
):  # fmt: skip
    # Past the last row a program does that one again: the same numbers in the same places.
    row = tl.minimum(tl.program_id(0).to(tl.int64) * ROWS + tl.arange(0, ROWS)[:, None], n_rows - 1)
    first, last = row * n_cols, (row + 1) * n_cols
    body, body_end = body_of(first, last, VECTOR)
    ends, at_end = ends_of(tl.arange(0, 2 * VECTOR)[None, :], first, body, body_end, last, VECTOR)
    columns = body + tl.arange(0, PIECE)[None, :]
    x_ends = tl.load(x_ptr + ends, mask=at_end, other=-float("inf")).to(tl.float32)
    pieces = ()
    for i in tl.static_range(PIECES):
        c = i * PIECE + columns
        x = tl.load(x_ptr + c, mask=c < body_end, other=-float("inf"), eviction_policy=HINT)
        pieces += (x.to(tl.float32),)
    m = tl.maximum(tl.max(greatest(pieces, PIECES), axis=1), tl.max(x_ends, axis=1))[:, None]
    numerators, at_ends = (), tl.exp(x_ends - m)
    for i in tl.static_range(PIECES):
        numerators += (tl.exp(pieces[i] - m),)
    s = (tl.sum(total(numerators, PIECES), axis=1) + tl.sum(at_ends, axis=1))[:, None]
    for i in tl.static_range(PIECES):
        c = i * PIECE + columns
        y = numerators[i] / s
        tl.store(y_ptr + c, y, mask=c < body_end, eviction_policy="evict_first")
    tl.store(y_ptr + ends, at_ends / s, mask=at_end)


@triton.jit
def meeting_kernel(
    y_ptr, x_ptr, y_stride, x_stride, n_rows, n_cols,
    ALIGN: tl.constexpr, PIECES: tl.constexpr, PIECE: tl.constexpr, WARPS: tl.constexpr, HINT: tl.constexpr,
):  # fmt: skip
    # A pair (m, s) of each warp, and one meeting instead of two. It gains nothing, so `softmax` does without.
    n_cols, x_stride, y_stride = n_cols * ALIGN, as_int64(x_stride) * ALIGN, as_int64(y_stride) * ALIGN
    LANES: tl.constexpr = PIECE // WARPS
    row = tl.program_id(0).to(tl.int64)
    columns = tl.arange(0, WARPS)[:, None] * LANES + tl.arange(0, LANES)[None, :]
    pieces = ()
    for i in tl.static_range(PIECES):
        c = i * PIECE + columns
        x = tl.load(x_ptr + row * x_stride + c, mask=c < n_cols, other=-float("inf"), eviction_policy=HINT)
        pieces += (x.to(tl.float32),)
    m_warp = tl.max(greatest(pieces, PIECES), axis=1)
    numerators = ()
    for i in tl.static_range(PIECES):
        numerators += (tl.exp(pieces[i] - finite(m_warp)[:, None]),)
    s_warp = tl.sum(total(numerators, PIECES), axis=1)
    m, s = tl.reduce((m_warp, s_warp), 0, merge)
    repair = tl.exp(m_warp - finite(m))[:, None]
    for i in tl.static_range(PIECES):
        c = i * PIECE + columns
        y = numerators[i] * repair / s
        tl.store(y_ptr + row * y_stride + c, y, mask=c < n_cols, eviction_policy="evict_first")


def run_step(x, step: str, kernel=None):
    """The softmax of a matrix by a step, or by a kernel that is launched as the step launches its own."""
    y = x.new_empty(x.shape)
    found = launch_for(step, x.shape[1], x.dtype, len(x))
    found = _with(kernel or found.kernel, found)
    with quiet():
        found.kernel[(found.programs,)](y, x, *found.sizes, **found.constants, num_warps=warps(found))
    return y


def compile_step(step: str, columns: int, dtype: str = "float32"):
    """What a step launches, compiled for an H100."""
    from ..compiler import compile_for

    found, dtype = launch_for(step, columns, dtype), getattr(torch, dtype)
    return compile_for(found.kernel, "H100", dtype, dtype, *found.sizes, **found.constants, num_warps=warps(found))


def warps(found: Launch) -> int:
    return found.options["num_warps"]


def launch_for(step: str, columns: int, dtype="float32", rows: int = 4096) -> Launch:
    """What a step launches for dense rows on an H100; a step that changes nothing there, what the last one before it launches."""
    dtype = getattr(torch, dtype) if isinstance(dtype, str) else dtype
    found = launches(Shape(rows, columns, dtype.itemsize, columns), H100)
    if step in found:
        return found[step]
    return next(found[each] for each in reversed(STEPS[: STEPS.index(step)]) if each in found)


def launches(shape: Shape, gpu: Gpu) -> dict[str, Launch]:
    """{step: its launch}, of those that change something for the shape; "meeting" beside them, where several
    warps share a row."""
    gpu = replace(gpu, early=False)
    last = alone(shape, gpu)
    narrow = alone(replace(shape, on_grid=False), gpu)  # nobody knows where rows begin
    wide = narrow if shape.ragged else last
    found = {"pieces": _with(pieces_kernel, narrow)}
    if wide.constants["ALIGN"] > 1 and shape.columns % 16:  # multiples of 16 Triton sees by itself
        found["wide"] = _with(wide_kernel, wide)
    found["hint"] = _with(hint_kernel, wide)
    if "VECTOR" in last.constants:
        found["peeled"] = _with(peeled_kernel, last)
    found["powers"] = last
    if not shape.ragged and wide.constants["ROWS"] == 1 and wide.options["num_warps"] > 1:
        found["meeting"] = _with(meeting_kernel, wide, WARPS=wide.options["num_warps"])
    return found


def _with(kernel, launch: Launch, **more) -> Launch:
    """The same launch of another kernel, with those of its constants that this one has."""
    constants = {name: value for name, value in (launch.constants | more).items() if name in kernel.arg_names}
    return replace(launch, kernel=kernel, constants=constants, short=None)
