"""What a call costs before the kernel runs, on the host, and what is left of it in a CUDA graph."""

import torch

from ..softmax import naive_softmax, row_kernel, row_softmax, softmax
from .bench import empty_kernel, every, host_times, inputs_for, line_of, timed

ROWS, COLUMNS = 128, 256
CALLS = 200
CASES = every(way=("host", "graph"))
# a call, in microseconds; host: how long the host is busy with it; graph: recorded once and replayed
Line = line_of(what=str, way=str, calls=int, median_us=float)


def measure(way):
    inputs, functions = inputs_for(ROWS, COLUMNS, "float32", "cuda")[:CALLS], _functions()
    if way == "host":
        found = host_times(functions, inputs[0], CALLS)
    else:
        functions.pop("compiled[grid]")  # the same kernel as another's
        found = {name: timed(function, inputs, seconds=0.1) for name, function in functions.items()}
    for name, timing in found.items():
        yield Line(name, way, CALLS if way == "host" else len(inputs), round(timing.median * 1e6, 2))


def _functions() -> dict:
    x, y = torch.randn(ROWS, COLUMNS, device="cuda"), torch.empty(ROWS, COLUMNS, device="cuda")
    arguments = y, x, COLUMNS, COLUMNS, COLUMNS
    constants = {"BLOCK_SIZE": COLUMNS, "num_warps": 4}
    compiled = row_kernel.warmup(*arguments, **constants, grid=(ROWS,))
    compiled._init_handles()
    return {
        "empty kernel": lambda x: empty_kernel[(1,)](),
        "row_kernel[grid]": lambda x: row_kernel[(ROWS,)](*arguments, **constants),
        "compiled[grid]": lambda x: compiled[ROWS, 1, 1](*arguments, COLUMNS),
        "naive": naive_softmax,
        "naive, torch.jit.script": torch.jit.script(naive_softmax),
        "row": row_softmax,
        "softmax": softmax,
        "torch": lambda x: torch.softmax(x, -1),
    }
