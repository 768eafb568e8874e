"""Benchmarks that flatter, beside the same kernel timed honestly: how much each lie is worth."""

import time
from dataclasses import dataclass

from ..backend import tl, triton

ROWS, CALLS = 4096, 200
SHAPES = (("float32", 1024), ("bfloat16", 1024), ("bfloat16", 256))
WAYS = {
    "honest": "sustained",
    "not waited": "the host's clock around launches that nobody waits for",
    "other stream": "events on one stream around a launch on another",
    "kept": "do_bench, of a function that keeps its result and finds it by the input's address",
    "in cache": "as sustained, with one input and one output for all",
    "no maximum": "sustained, of a kernel that does not subtract the maximum",
    "no maximum, hot": "",
    "hot": "the same, with the maximum",
}


@dataclass(frozen=True)
class Line:
    dtype: str
    columns: int
    way: str
    median_us: float


@triton.jit
def unsafe_kernel(y_ptr, x_ptr, n_cols, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    at = tl.program_id(0).to(tl.int64) * n_cols + i
    numerator = tl.exp(tl.load(x_ptr + at, mask=i < n_cols, other=-float("inf")).to(tl.float32))
    tl.store(y_ptr + at, numerator / tl.sum(numerator, axis=0), mask=i < n_cols)


def unsafe_softmax(x):
    import torch

    y = torch.empty_like(x)
    unsafe_kernel[(len(x),)](y, x, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
    return y


def cases():
    return [{"dtype": dtype, "columns": columns} for dtype, columns in SHAPES]


def measure(dtype, columns):
    import torch

    from ..softmax import row_softmax
    from .bench.stopwatch import compare, inputs_for

    for states in (("sustained",), ("hot",)):
        both = {"honest": row_softmax, "no maximum": unsafe_softmax}
        for (name, state), found in compare(both, lambda: inputs_for(ROWS, columns, dtype, "cuda"), states).items():
            way = {"honest": "hot", "no maximum": "no maximum, hot"}[name] if state == "hot" else name
            yield Line(dtype, columns, way, found.us["median_us"])
    x = torch.randn(ROWS, columns, device="cuda").to(getattr(torch, dtype))
    for way, us in _lies(row_softmax, x).items():
        yield Line(dtype, columns, way, round(us, 3))


def _lies(function, x) -> dict[str, float]:
    import statistics

    import torch
    from triton.testing import do_bench

    from .bench.stopwatch import measure as timed

    function(x)
    torch.cuda.synchronize()
    begun = time.perf_counter()
    for _ in range(CALLS):
        function(x)
    found = {"not waited": (time.perf_counter() - begun) / CALLS * 1e6}
    torch.cuda.synchronize()

    aside = torch.cuda.Stream()

    def on_another_stream():
        with torch.cuda.stream(aside):
            return function(x)

    runs = []
    for _ in range(50):
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        torch.zeros(1 << 26, device="cuda")
        start.record()
        on_another_stream()
        end.record()
        torch.cuda.synchronize()
        runs.append(start.elapsed_time(end) * 1e3)
    found["other stream"] = statistics.median(runs)

    kept = {}

    def keeping(x):
        if x.data_ptr() not in kept:
            kept[x.data_ptr()] = function(x)
        return kept[x.data_ptr()]

    found["kept"] = do_bench(lambda: keeping(x), return_mode="median") * 1e3
    y = torch.empty_like(x)
    found["in cache"] = timed(lambda x: _into(y, x), [x] * 50).median * 1e6
    return found


def _into(y, x):
    from ..softmax import row_kernel

    block = triton.next_power_of_2(x.shape[1])
    row_kernel[(len(x),)](y, x, y.stride(0), x.stride(0), x.shape[1], BLOCK_SIZE=block)
    return y
