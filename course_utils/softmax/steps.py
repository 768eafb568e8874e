"""From a plain tile to what `softmax` launches, a change at a time: the kernels on the way, and what each step launches for a shape.

The last is the kernel of `rows`, launched late.
"""

from dataclasses import replace

import torch

from ..backend import tl, triton
from .choose import Gpu, Shape, alone
from .combine import LOG2_E, as_int64, finite, greatest, total  # noqa: F401  07's own copies of the kernels need it
from .launch import Launch, quiet
from .ragged import body_of, ends_of
from .tile import tile_kernel  # noqa: F401  where 07 begins
from .two_passes import merge

H100 = Gpu(132, cuda=True, early=True, cache=50 << 20)
STEPS = ("pieces", "peeled", "powers")


@triton.jit
def pieces_kernel(y_ptr, x_ptr, n_rows, n_cols, ROWS: tl.constexpr, PIECES: tl.constexpr, PIECE: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * ROWS + tl.arange(0, ROWS)[:, None]
    row = tl.minimum(row, n_rows - 1)
    first, width = row * n_cols, n_cols
    pieces = ()
    for i in tl.static_range(PIECES):
        c = i * PIECE + tl.arange(0, PIECE)[None, :]
        pieces += (tl.load(x_ptr + first + c, mask=c < width, other=-float("inf")).to(tl.float32),)
    m = tl.max(greatest(pieces, PIECES), axis=1)[:, None]
    numerators = ()
    for i in tl.static_range(PIECES):
        numerators += (tl.exp(pieces[i] - m),)
    s = tl.sum(total(numerators, PIECES), axis=1)[:, None]
    for i in tl.static_range(PIECES):
        c = i * PIECE + tl.arange(0, PIECE)[None, :]
        tl.store(y_ptr + first + c, numerators[i] / s, mask=c < width)


@triton.jit
def peeled_kernel(
    y_ptr, x_ptr, n_rows, n_cols, VECTOR: tl.constexpr, ROWS: tl.constexpr, PIECES: tl.constexpr, PIECE: tl.constexpr
):
    row = tl.program_id(0).to(tl.int64) * ROWS + tl.arange(0, ROWS)[:, None]
    row = tl.minimum(row, n_rows - 1)
    first, width = row * n_cols, n_cols
    if VECTOR:
        last = first + n_cols
        body, body_end = body_of(first, last, VECTOR)
        ends, at_end = ends_of(tl.arange(0, 2 * VECTOR)[None, :], first, body, body_end, last, VECTOR)
        x_ends = tl.load(x_ptr + ends, mask=at_end, other=-float("inf")).to(tl.float32)
        first, width = body, (body_end - body).to(tl.int32)
    pieces = ()
    for i in tl.static_range(PIECES):
        c = i * PIECE + tl.arange(0, PIECE)[None, :]
        pieces += (tl.load(x_ptr + first + c, mask=c < width, other=-float("inf")).to(tl.float32),)
    m = tl.max(greatest(pieces, PIECES), axis=1)[:, None]
    if VECTOR:
        m = tl.maximum(m, tl.max(x_ends, axis=1)[:, None])
    numerators = ()
    for i in tl.static_range(PIECES):
        numerators += (tl.exp(pieces[i] - m),)
    s = tl.sum(total(numerators, PIECES), axis=1)[:, None]
    if VECTOR:
        s += tl.sum(tl.exp(x_ends - m), axis=1)[:, None]
        tl.store(y_ptr + ends, tl.exp(x_ends - m) / s, mask=at_end)
    for i in tl.static_range(PIECES):
        c = i * PIECE + tl.arange(0, PIECE)[None, :]
        tl.store(y_ptr + first + c, numerators[i] / s, mask=c < width)


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


def run_step(x, step: str):
    """The softmax of a matrix by a step."""
    y = x.new_empty(x.shape)
    found = launch_for(step, x.shape[1], x.dtype, len(x))
    with quiet():
        found.kernel[(found.programs,)](y, x, *found.sizes, **found.constants, num_warps=found.options["num_warps"])
    return y


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
    found = {"pieces": _dense(pieces_kernel, narrow, shape)}
    if last.constants["VECTOR"]:
        found["peeled"] = _dense(peeled_kernel, last, shape)
    found["powers"] = last
    if not shape.ragged and last.constants["ROWS"] == 1 and last.options["num_warps"] > 1:
        found["meeting"] = _with(meeting_kernel, last, WARPS=last.options["num_warps"])
    return found


def _dense(kernel, launch: Launch, shape: Shape) -> Launch:
    return replace(_with(kernel, launch), sizes=(shape.rows, shape.columns))


def _with(kernel, launch: Launch, **more) -> Launch:
    """The same launch of another kernel, with those of its constants that this one has."""
    constants = {name: value for name, value in (launch.constants | more).items() if name in kernel.arg_names}
    return replace(launch, kernel=kernel, constants=constants, short=None)
