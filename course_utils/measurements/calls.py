"""What a call costs before the kernel runs: on the host, on the GPU one launch after the other, and out of a CUDA graph."""

import statistics
import time
from dataclasses import dataclass

ROWS, COLUMNS = 128, 256
CALLS, ROUNDS = 200, 40
ON_THE_HOST_ALONE = ("compiled[grid]", "torch.empty_like")


@dataclass(frozen=True)
class Line:
    """A call, in microseconds.

    host: how long the host is busy with it. queued: many calls in a row, until the GPU has done them all. graph: the same
    calls, recorded once and replayed as a CUDA graph.
    """

    what: str
    way: str
    calls: int
    median_us: float


def cases():
    return [{"way": way} for way in ("host", "queued", "graph")]


def measure(way):
    from .bench.stopwatch import host_times, inputs_for, measure

    inputs = inputs_for(ROWS, COLUMNS, "float32", "cuda")[:CALLS]
    functions = _functions()
    if way == "host":
        seconds = {name: timing.median for name, timing in host_times(functions, inputs[0], CALLS, ROUNDS).items()}
    else:
        on_gpu = {name: function for name, function in functions.items() if name not in ON_THE_HOST_ALONE}
        timed = _queued if way == "queued" else lambda *call: measure(*call, seconds=0.1).median
        seconds = {name: timed(function, inputs) for name, function in on_gpu.items()}
    for name, each in seconds.items():
        yield Line(name, way, CALLS if way == "host" else len(inputs), round(each * 1e6, 2))


def _functions() -> dict:
    import torch

    from ..softmax import naive_softmax, row_kernel, row_softmax, softmax
    from .bench.kernels import empty_kernel

    x, y = torch.randn(ROWS, COLUMNS, device="cuda"), torch.empty(ROWS, COLUMNS, device="cuda")
    arguments = y, x, COLUMNS, COLUMNS, COLUMNS
    constants = {"BLOCK_SIZE": COLUMNS, "num_warps": 4}
    compiled = row_kernel.warmup(*arguments, **constants, grid=(ROWS,))
    compiled._init_handles()
    return {
        "empty kernel": lambda x: empty_kernel[(1,)](),
        "row_kernel[grid]": lambda x: row_kernel[(ROWS,)](*arguments, **constants),
        "compiled[grid]": lambda x: compiled[ROWS, 1, 1](*arguments, COLUMNS),
        "torch.empty_like": torch.empty_like,
        "naive": naive_softmax,
        "naive, torch.jit.script": torch.jit.script(naive_softmax),
        "row": row_softmax,
        "softmax": softmax,
        "torch": lambda x: torch.softmax(x, -1),
    }


def _queued(function, inputs) -> float:
    import torch

    times = []
    for _ in range(ROUNDS):
        torch.cuda.synchronize()
        start = time.perf_counter()
        for x in inputs:
            function(x)
        torch.cuda.synchronize()
        times.append((time.perf_counter() - start) / len(inputs))
    return statistics.median(times)
