"""Persistence and pipeline stages: the same softmax at every width, in five ways."""

from dataclasses import dataclass

ROWS, COLUMNS, NUM_WARPS = 4096, (256, 512, 781, 1024, 2048, 4096, 8192, 16384, 32768), 8
STAGES = (0, 1, 2, 3, 4)


@dataclass(frozen=True)
class Line:
    """One width in one way. `stages` 0: a program a row; else a grid-stride loop of that many, with all programs resident."""

    columns: int
    stages: int
    programs: int
    median_us: float
    low_us: float
    high_us: float

    @property
    def bandwidth(self) -> float:
        """GB/s of reading the matrix once and writing it once, in float32."""
        return 2 * 4 * ROWS * self.columns / self.median_us / 1e3


def cases():
    return [{"columns": columns} for columns in COLUMNS]


def measure(columns):
    """Every way that the GPU of this machine can launch."""
    from .bench.stopwatch import compare, inputs_for

    ways = {stages: way for stages in STAGES if (way := _way(columns, stages))}
    functions = {stages: launch for stages, (launch, _) in ways.items()}
    for (stages, _), timing in compare(functions, lambda: inputs_for(ROWS, columns, "float32", "cuda")).items():
        yield Line(columns, stages, ways[stages][1], **timing.us)


def _way(columns: int, stages: int):
    """The function to time and how many programs it launches; None where not even one program fits."""
    import torch

    from .. import hardware, occupancy
    from ..backend import triton
    from ..compiler import compile_for
    from ..softmax import grid_stride_kernel, row_kernel

    options = {"BLOCK_SIZE": triton.next_power_of_2(columns), "num_warps": NUM_WARPS}
    kernel, sizes = row_kernel, (columns, columns, columns)
    if stages:
        kernel, sizes, options = grid_stride_kernel, (columns, columns, ROWS, columns), options | {"STAGES": stages}
    fits = occupancy.of(compile_for(kernel, hardware.here(), torch.float32, torch.float32, *sizes, **options))
    if not fits.programs:
        return None
    programs = fits.launch(ROWS) if stages else ROWS

    def launch(x):
        y = torch.empty_like(x)
        kernel[(programs,)](y, x, *sizes, **options)
        return y

    return launch, programs
