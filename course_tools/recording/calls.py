"""Measures what a call costs: an empty kernel, the row kernel launched in two ways, and whole softmax functions."""

import statistics
import time

import torch

from course_utils.backend import triton
from course_utils.softmax import naive_softmax, row_kernel, row_softmax, softmax
from course_utils.timing.calls import COLUMNS, ROWS, Call
from course_utils.timing.stopwatch import host_times, inputs_for, measure

CALLS, ROUNDS, INPUTS = 200, 40, 200


@triton.jit
def empty_kernel():
    pass


def measure_calls():
    x, y = torch.randn(ROWS, COLUMNS, device="cuda"), torch.empty(ROWS, COLUMNS, device="cuda")
    arguments = y, x, COLUMNS, COLUMNS, COLUMNS
    constants = {"BLOCK_SIZE": COLUMNS, "num_warps": 4}
    compiled = row_kernel.warmup(*arguments, **constants, grid=(ROWS,))
    compiled._init_handles()
    functions = {
        "empty kernel": lambda x: empty_kernel[(1,)](),
        "row_kernel[grid]": lambda x: row_kernel[(ROWS,)](*arguments, **constants),
        "compiled[grid]": lambda x: compiled[ROWS, 1, 1](*arguments, COLUMNS),
        "torch.empty_like": torch.empty_like,
        "naive": naive_softmax,
        "row": row_softmax,
        "softmax": softmax,
        "torch": lambda x: torch.softmax(x, -1),
    }
    for name, timing in host_times(functions, x, CALLS, ROUNDS).items():
        yield Call(name, "host", CALLS, round(timing.median * 1e6, 2))
    inputs = inputs_for(ROWS, COLUMNS, torch.float32, "cuda")[:INPUTS]
    for name in ("empty kernel", "row_kernel[grid]", "naive", "row", "softmax", "torch"):
        yield Call(name, "queued", len(inputs), round(_queued(functions[name], inputs) * 1e6, 2))
        graph = measure(functions[name], inputs, 0.1, "sustained")
        yield Call(name, "graph", len(inputs), round(graph.median * 1e6, 2))


def _queued(function, inputs) -> float:
    times = []
    for _ in range(ROUNDS):
        torch.cuda.synchronize()
        start = time.perf_counter()
        for x in inputs:
            function(x)
        torch.cuda.synchronize()
        times.append((time.perf_counter() - start) / len(inputs))
    return statistics.median(times)
