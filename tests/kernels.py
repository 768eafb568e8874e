"""Kernels that the tests of the ledger and of the stepper run, right and wrong ones; and a way to make one from text."""

import itertools
import linecache
import textwrap

from course_utils.backend import tl, triton

_numbers = itertools.count(1)


def cell(text: str, name: str = "", namespace=()) -> dict:
    """What a notebook holds after a cell with this text has run: in `__main__`, the source found in linecache alone."""
    text = textwrap.dedent(text).lstrip("\n")
    filename = f"/tmp/ipykernel_0/{name or f'kernel{next(_numbers)}'}.py"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    namespace = {"triton": triton, "tl": tl, **dict(namespace), "__name__": "__main__"}
    exec(compile(text, filename, "exec"), namespace)
    return namespace


def kernel_from(text: str):
    """What a cell defines last."""
    return [*cell(text).values()][-1]


@triton.jit
def softmax_rows(y_ptr, x_ptr, x_stride, y_stride, n_rows, n_cols, BLOCK: tl.constexpr):
    for row in tl.range(tl.program_id(0), n_rows, tl.num_programs(0)):
        cols = tl.arange(0, BLOCK)
        mask = cols < n_cols
        x = tl.load(x_ptr + row * x_stride + cols, mask=mask, other=-float("inf"))
        x = x - tl.max(x, axis=0)
        numerator = tl.exp(x)
        tl.store(y_ptr + row * y_stride + cols, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def copy_unmasked(y_ptr, x_ptr, n_cols, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * n_cols + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets)
    tl.store(y_ptr + offsets, x)


@triton.jit
def two_passes(y_ptr, x_ptr, n, BLOCK: tl.constexpr):
    cols = tl.arange(0, BLOCK)
    top = tl.max(tl.load(x_ptr + cols, mask=cols < n, other=-float("inf")), axis=0)
    x = tl.load(x_ptr + cols, mask=cols < n, other=0.0)
    tl.store(y_ptr + cols, x - top, mask=cols < n)


@triton.jit
def double(value):
    twice = value * 2
    return twice


@triton.jit
def tile_doubled(y_ptr, x_ptr, n_cols, ROWS: tl.constexpr, COLS: tl.constexpr):
    rows = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    cols = tl.arange(0, COLS)
    offsets = rows[:, None] * n_cols + cols[None, :]
    mask = (cols < n_cols)[None, :]
    tile = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    tile = double(tile)
    tl.store(y_ptr + offsets, tile, mask=mask)
