"""What a real GPU says of launchers: one kernel in many configurations, beside those that have nothing to choose."""

from dataclasses import dataclass
from functools import cached_property

from .recorded import DEVICE, rows

# A matrix of the course's usual height; and tall ones of 432 MB, of which each program gets many rows.
SHAPES = [(4096, columns) for columns in (256, 1024, 4096, 8192, 16384, 32768)]
SHAPES += [(105600 * 1024 // columns, columns) for columns in (256, 1024, 4096, 16384)]
STAGES, PROGRAMS = (1, 2, 3, 4), (1, 2, 3, 4, 6, 8, 12, 16)


@dataclass(frozen=True)
class Launch:
    """One launch: of the grid-stride kernel ("grid stride"), of the one that prefetches by hand ("prefetch"), of a program a row
    ("row"); what could be chosen for it, and zeros where it had no choice."""

    who: str
    rows: int
    columns: int
    num_warps: int
    stages: int
    programs: int  # on every SM
    fits: int  # as many are resident at most
    registers: int
    shared: int
    median_us: float
    low_us: float
    high_us: float

    @cached_property
    def bandwidth(self) -> float:
        """GB/s of reading the matrix once and writing it once, in float32."""
        return 2 * 4 * self.rows * self.columns / self.median_us / 1e3


def recorded(device: str = DEVICE) -> list[Launch]:
    """What was recorded on this device; the first lines of the file say when, where and with what."""
    return rows(Launch, "launches", device)


def tried(who: str, n_rows: int, n_cols: int, **chosen) -> list[Launch]:
    """Every recorded launch of `who` on such a matrix, with what was `chosen`: num_warps=8, say."""
    asked = {"who": who, "rows": n_rows, "columns": n_cols, **chosen}
    return [launch for launch in recorded() if all(getattr(launch, name) == value for name, value in asked.items())]


def fastest(who: str, n_rows: int, n_cols: int, **chosen) -> Launch:
    return min(tried(who, n_rows, n_cols, **chosen), key=lambda launch: launch.median_us)


def speeds(who: str, ours) -> dict[tuple[int, int], float]:
    """{(rows, columns): how many times as fast as the fastest launch of `who` the one is that `ours(rows, columns)` picks}."""
    return {shape: fastest(who, *shape).median_us / ours(*shape).median_us for shape in SHAPES}


COUNTED_SHAPE, COUNTED_WARPS = (105600, 1024), 8
COUNTED = [(stages, programs) for stages in (1, 4) for programs in (1, 2, 4, 6, 8)]


@dataclass(frozen=True)
class Counters:
    """What the hardware counted during one launch of the grid-stride kernel."""

    stages: int
    programs: int  # on every SM
    nanoseconds: int
    dram_read_bytes: int
    dram_written_bytes: int
    l2_read_sectors: int
    l2_read_hits: int  # of these sectors

    @classmethod
    def recorded(cls, device: str = DEVICE) -> list["Counters"]:
        return rows(cls, "launch-counters", device)
