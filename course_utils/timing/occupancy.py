"""What a real GPU says of occupancy: how many programs its driver lets in, and how fast each number of programs ran.

python -m course_utils.timing.occupancy variants    writes recorded/<device>-occupancy-variants.csv
python -m course_utils.timing.occupancy grids       writes recorded/<device>-occupancy-grids.csv
"""

import ctypes
import itertools
import sys
from dataclasses import asdict, dataclass

from .recorded import rows, write

BLOCKS, WARPS, STAGES = (256, 512, 1024, 2048, 4096, 8192), (1, 2, 4, 8, 16), (2, 4)
ROWS, COLUMNS, MOST_PROGRAMS = 105600, 1024, 24  # of the grids; the rows divide evenly among 132 × 8 programs


@dataclass(frozen=True)
class Variant:
    """One way to compile the grid-stride kernel, what it then needs, and how many programs the driver says fit."""

    block: int
    num_warps: int
    stages: int
    registers: int
    shared: int
    programs: int

    @property
    def needs(self) -> dict:
        """What a model of occupancy asks."""
        return {"registers": self.registers, "shared": self.shared, "num_warps": self.num_warps}


@dataclass(frozen=True)
class Grid:
    """The same kernel and matrix, launched with so many programs for each multiprocessor. Milliseconds, see `Timing`."""

    per_multiprocessor: int
    num_warps: int
    stages: int
    rows: int
    columns: int
    median_ms: float
    low_ms: float
    high_ms: float

    @property
    def bandwidth(self) -> float:
        """GB/s of reading the matrix once and writing it once, in float32."""
        return 2 * 4 * self.rows * self.columns / self.median_ms / 1e6


KINDS = {"variants": Variant, "grids": Grid}


def recorded(what: str, device: str = "h200") -> list:
    """The variants or the grids recorded on this device; the first lines of the file say when, where and with what."""
    return rows(KINDS[what], f"occupancy-{what}", device)


def measure_variants():
    """Sixty variants, compiled for the GPU of this machine and put to its driver."""
    import torch

    from .. import hardware
    from ..compiler import compile_for
    from ..softmax import grid_stride_kernel

    device, dtype = hardware.here(), torch.float32
    torch.zeros(1, device="cuda")  # makes the driver's context current
    for block, num_warps, stages in itertools.product(BLOCKS, WARPS, STAGES):
        launch = (dtype, dtype, block, block, 4096, block)
        constants = {"BLOCK_SIZE": block, "STAGES": stages, "num_warps": num_warps}
        needs = compile_for(grid_stride_kernel, device, *launch, **constants)
        yield Variant(block, num_warps, stages, needs.registers, needs.shared, _programs(needs))


def measure_grids():
    """One wide matrix, and ever more programs."""
    import torch

    from .. import hardware
    from ..softmax import grid_stride_kernel
    from .measure import inputs_for, measure

    inputs = inputs_for(ROWS, COLUMNS, torch.float32, "cuda")
    for stages, programs in itertools.product((1, 4), range(1, MOST_PROGRAMS + 1)):
        grid = (programs * hardware.here().multiprocessors,)

        def launch(x, grid=grid, stages=stages):
            y = torch.empty_like(x)
            grid_stride_kernel[grid](
                y, x, y.stride(0), x.stride(0), ROWS, COLUMNS, BLOCK_SIZE=COLUMNS, STAGES=stages, num_warps=8
            )  # fmt: skip
            return y

        timing = measure(launch, inputs, seconds=0.05)
        times = (timing.median, timing.low, timing.high)
        yield Grid(programs, 8, stages, ROWS, COLUMNS, *(round(seconds * 1e3, 5) for seconds in times))


_MAX_DYNAMIC_SHARED = 8  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES


def _programs(needs) -> int:
    module, function, programs = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_int()
    shared = ctypes.c_size_t(needs.shared)
    _driver("cuModuleLoadData", ctypes.byref(module), needs.binary)
    _driver("cuModuleGetFunction", ctypes.byref(function), module, needs.name.encode())
    if needs.shared > 48 * 1024:  # as Triton does before it launches
        _driver("cuFuncSetAttribute", function, _MAX_DYNAMIC_SHARED, needs.shared)
    count = "cuOccupancyMaxActiveBlocksPerMultiprocessor"
    _driver(count, ctypes.byref(programs), function, needs.threads, shared)
    return programs.value


def _driver(name: str, *arguments) -> None:
    status = getattr(ctypes.CDLL("libcuda.so.1"), name)(*arguments)
    if status:
        raise RuntimeError(f"{name}: CUDA error {status}")


if __name__ == "__main__":
    from .record import provenance, short_name

    what = sys.argv[1]
    measured = list({"variants": measure_variants, "grids": measure_grids}[what]())
    told = provenance(f"python -m course_utils.timing.occupancy {what}")
    print(write(f"occupancy-{what}", short_name(told), told, list(map(asdict, measured))))
