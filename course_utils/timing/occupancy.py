"""What a real GPU says of occupancy: how many programs its driver lets in, and how fast each number of programs ran."""

from dataclasses import dataclass

from .recorded import DEVICE, rows

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


KINDS = {"variants": Variant, "grids": Grid, "lone": Grid}


def recorded(what: str, device: str = DEVICE) -> list:
    """The variants, the grids or the lone programs recorded on this device; the first lines of the file say when, where and with what."""
    return rows(KINDS[what], f"occupancy-{what}", device)
