"""What a tail costs: the grid-stride kernel with P resident programs, on a row more than P, or than 2P, or than 4P."""

from dataclasses import dataclass

PER_MULTIPROCESSOR, NUM_WARPS, COLUMNS = 8, 8, (1024, 4096, 8192)
STATES = ("sustained", "dirty")


@dataclass(frozen=True)
class Line:
    """So many rows, shared by so many programs. Microseconds: the median, and the lowest and highest."""

    columns: int
    programs: int
    rows: int
    state: str  # of the cache
    median_us: float
    low_us: float
    high_us: float

    @property
    def waves(self) -> float:
        return self.rows / self.programs


def cases():
    """So many rows that the last wave is full, or holds one."""
    from .. import hardware

    p = PER_MULTIPROCESSOR * hardware.here().multiprocessors
    for columns in COLUMNS:
        for n_rows in (p // 2, p, p + 1, p + p // 2, 2 * p, 2 * p + 1, 4 * p, 4 * p + 1):
            yield {"columns": columns, "programs": p, "rows": n_rows}


def measure(columns, programs, rows):
    import torch

    from ..softmax import grid_stride_kernel
    from .bench.stopwatch import compare, inputs_for

    def launch(x):
        y = torch.empty_like(x)
        sizes = columns, columns, rows, columns
        options = {"BLOCK_SIZE": columns, "STAGES": 1, "num_warps": NUM_WARPS}
        grid_stride_kernel[(min(programs, rows),)](y, x, *sizes, **options)
        return y

    for (_, state), timing in compare(
        {"": launch}, lambda: inputs_for(rows, columns, "float32", "cuda"), STATES
    ).items():
        yield Line(columns, programs, rows, state, **timing.us)
