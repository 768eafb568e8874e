"""Wide rows by two kernels, the safe way, at the shapes where teams of programs are held against it."""

from dataclasses import dataclass

COLUMNS, ROWS = 131072, (4096, 64, 8, 1)


@dataclass(frozen=True)
class Line:
    rows: int
    columns: int
    median_us: float
    low_us: float
    high_us: float


def cases():
    return [{"rows": rows, "columns": COLUMNS} for rows in ROWS]


def measure(rows, columns):
    import torch

    from ..softmax.split import split
    from .bench.stopwatch import compare, inputs_for

    def two_kernels(x):
        y = torch.empty_like(x)
        split(y, x)
        return y

    (timing,) = compare({"": two_kernels}, lambda: inputs_for(rows, columns, "float32", "cuda")).values()
    yield Line(rows, columns, **timing.us)
