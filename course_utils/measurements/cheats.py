"""Benchmarks that flatter, beside the same kernel timed honestly: how much each lie is worth.

honest         sustained
other stream   events on one stream around a launch on another
kept           do_bench, of a function that keeps its result and finds it by the input's address
in cache       as sustained, with one input and one output for all
no maximum     sustained, of a kernel that does not subtract the maximum
"""

import statistics

import torch
from triton.testing import do_bench

from ..backend import tl, triton
from ..softmax import row_kernel, row_softmax
from .bench import compare, inputs_for, line_of, timed

ROWS = 4096
CASES = [{"dtype": "float32", "columns": 1024}, {"dtype": "bfloat16", "columns": 256}]
Line = line_of(dtype=str, columns=int, way=str, median_us=float)


@triton.jit
def unsafe_kernel(y_ptr, x_ptr, n_cols, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    at = tl.program_id(0).to(tl.int64) * n_cols + i
    numerator = tl.exp(tl.load(x_ptr + at, mask=i < n_cols, other=-float("inf")).to(tl.float32))
    tl.store(y_ptr + at, numerator / tl.sum(numerator, axis=0), mask=i < n_cols)


def unsafe_softmax(x):
    y = torch.empty_like(x)
    unsafe_kernel[(len(x),)](y, x, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
    return y


def measure(dtype, columns):
    ways = {"honest": row_softmax, "no maximum": unsafe_softmax}
    for (way, _), found in compare(ways, lambda: inputs_for(ROWS, columns, dtype, "cuda")).items():
        yield Line(dtype, columns, way, found.us["median_us"])
    x = torch.randn(ROWS, columns, device="cuda").to(getattr(torch, dtype))
    for way, us in {"other stream": _other_stream(x), "kept": _kept(x), "in cache": _in_cache(x)}.items():
        yield Line(dtype, columns, way, round(us, 3))


def _other_stream(x) -> float:
    aside, runs = torch.cuda.Stream(), []
    for _ in range(50):
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        torch.zeros(1 << 26, device="cuda")
        start.record()
        with torch.cuda.stream(aside):
            row_softmax(x)
        end.record()
        torch.cuda.synchronize()
        runs.append(start.elapsed_time(end) * 1e3)
    return statistics.median(runs)


def _kept(x) -> float:
    kept = {}

    def keeping(x):
        if x.data_ptr() not in kept:
            kept[x.data_ptr()] = row_softmax(x)
        return kept[x.data_ptr()]

    return do_bench(lambda: keeping(x), return_mode="median") * 1e3


def _in_cache(x) -> float:
    y, block = torch.empty_like(x), triton.next_power_of_2(x.shape[1])

    def into_y(x):
        row_kernel[(len(x),)](y, x, y.stride(0), x.stride(0), x.shape[1], BLOCK_SIZE=block)
        return y

    return timed(into_y, [x] * 50).median * 1e6
