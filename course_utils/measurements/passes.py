"""How often a row is read: three times, twice, and once where a program can hold it, beside the best copy on the same buffers."""

from dataclasses import dataclass, replace

ROWS, COLUMNS, DTYPES = 4096, (131072, 32768, 8192, 1024), ("float32", "bfloat16")
COMPILES = True
COPY = {"passes": 0}  # the lines that time the best copy on the same buffers


@dataclass(frozen=True)
class Line:
    rows: int
    columns: int
    dtype: str
    passes: int  # 0: the best copy
    median_us: float
    low_us: float
    high_us: float


def cases():
    return [{"columns": columns, "dtype": dtype} for columns in COLUMNS for dtype in DTYPES]


def measure(columns, dtype):
    import torch

    from ..softmax.choose import WIDEST as widest
    from ..softmax.choose import Shape, alone, gpu_of
    from ..softmax.two_passes import three_pass_softmax, two_pass_softmax
    from .bench.stopwatch import compare, inputs_for
    from .ruler import copies

    ways = {3: three_pass_softmax, 2: two_pass_softmax}
    size = getattr(torch, dtype).itemsize
    if columns <= widest[size]:
        gpu = replace(gpu_of(torch.device("cuda", 0)), early=False)
        ways[1] = _launched(alone(Shape(ROWS, columns, size, columns), gpu))
    late = {way: copy for way, copy in copies().items() if not way[-1]}
    found = compare(ways | late, lambda: inputs_for(ROWS, columns, dtype, "cuda"), seconds=0.01, refused={})
    best = min((timing for (way, _), timing in found.items() if way in late), key=lambda timing: timing.median)
    yield Line(ROWS, columns, dtype, 0, **best.us)
    for (way, _), timing in found.items():
        if way in ways:
            yield Line(ROWS, columns, dtype, way, **timing.us)


def _launched(launch):
    def run(x):
        y = x.new_empty(x.shape)
        launch(y, x)
        return y

    return run
