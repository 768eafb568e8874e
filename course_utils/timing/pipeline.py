"""What a real GPU says of persistence and of pipeline stages: the same softmax at every width, in five ways.

python -m course_utils.timing.pipeline    writes recorded/<device>-pipeline.csv
"""

from dataclasses import asdict, dataclass

from .recorded import rows, write

ROWS, COLUMNS, NUM_WARPS = 4096, (256, 512, 781, 1024, 2048, 4096, 8192, 16384, 32768), 8
STAGES = (0, 1, 2, 3, 4)


@dataclass(frozen=True)
class Run:
    """One width in one way. `stages` 0: a program a row; else a grid-stride loop of that many, with all programs resident."""

    columns: int
    stages: int
    programs: int
    median_ms: float
    low_ms: float
    high_ms: float

    @property
    def bandwidth(self) -> float:
        """GB/s of reading the matrix once and writing it once, in float32."""
        return 2 * 4 * ROWS * self.columns / self.median_ms / 1e6


def recorded(device: str = "h200") -> list[Run]:
    """What was recorded on this device; the first lines of the file say when, where and with what."""
    return rows(Run, "pipeline", device)


def measure_runs():
    """Every width in every way that the GPU of this machine can launch."""
    import torch

    from .. import hardware, occupancy
    from ..backend import triton
    from ..compiler import compile_for
    from ..softmax import grid_stride_kernel, row_kernel
    from .measure import inputs_for, measure

    for columns in COLUMNS:
        inputs = inputs_for(ROWS, columns, torch.float32, "cuda")
        x, y = inputs[0], torch.empty_like(inputs[0])
        block = triton.next_power_of_2(columns)
        for stages in STAGES:
            if stages:
                kernel, sizes, options = grid_stride_kernel, (columns, columns, ROWS, columns), {"STAGES": stages}
            else:
                kernel, sizes, options = row_kernel, (columns, columns, columns), {}
            options |= {"BLOCK_SIZE": block, "num_warps": NUM_WARPS}
            fits = occupancy.of(compile_for(kernel, hardware.here(), y, x, *sizes, **options))
            if not fits.programs:
                continue
            programs = fits.launch(ROWS) if stages else ROWS

            def launch(x, kernel=kernel, programs=programs, sizes=sizes, options=options):
                y = torch.empty_like(x)
                kernel[(programs,)](y, x, *sizes, **options)
                return y

            assert torch.allclose(launch(x), torch.softmax(x, dim=1), atol=1e-6)
            timing = measure(launch, inputs)
            times = (timing.median, timing.low, timing.high)
            yield Run(columns, stages, programs, *(round(seconds * 1e3, 5) for seconds in times))


if __name__ == "__main__":
    from .record import provenance, short_name

    told = provenance("python -m course_utils.timing.pipeline")
    print(write("pipeline", short_name(told), told, list(map(asdict, measure_runs()))))
