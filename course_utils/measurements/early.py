"""What starting early costs: programs are then set up more slowly, which shows where every row, however narrow, is a program."""

from dataclasses import dataclass

ROWS, WIDTHS, DTYPES = 4096, (301, 501, 781, 1001, 1501), ("float32", "bfloat16")


@dataclass(frozen=True)
class Line:
    dtype: str
    columns: int
    state: str
    early: int
    median_us: float
    low_us: float
    high_us: float


def cases():
    return [{"dtype": dtype, "columns": columns} for dtype in DTYPES for columns in WIDTHS]


def measure(dtype, columns):
    from .bench.stopwatch import compare, inputs_for

    functions = {early: _one_row_each(dtype, columns, early) for early in (False, True)}
    found = compare(functions, lambda: inputs_for(ROWS, columns, dtype, "cuda"), ("sustained", "hot"))
    for (early, state), timing in found.items():
        yield Line(dtype, columns, state, int(early), **timing.us)


def _one_row_each(dtype, columns, early: bool):
    """One warp to a row, one row to a program."""
    from dataclasses import replace

    import torch

    from ..softmax.ladder.choose import Shape, alone, gpu_of
    from ..softmax.ladder.ragged import ragged_kernel

    size = getattr(torch, dtype).itemsize
    launch = alone(Shape(ROWS, columns, size, columns, on_grid=True), replace(gpu_of("cuda"), early=False))
    assert launch.kernel is ragged_kernel
    constants = launch.constants | {"EARLY": early}
    launch = replace(launch, constants=constants, options=launch.options | ({"launch_pdl": True} if early else {}))

    def run(x):
        y = torch.empty_like(x)
        if not launch.short or not launch.short(y.data_ptr(), x.data_ptr()):
            launch(y, x)
        return y

    return run
