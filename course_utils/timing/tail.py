"""What a tail costs: the grid-stride kernel with P resident programs, on a row more than P, or than 2P, or than 4P."""

from dataclasses import dataclass

from .recorded import DEVICE, rows

PER_MULTIPROCESSOR, NUM_WARPS, COLUMNS = 8, 8, (1024, 4096, 8192)


@dataclass(frozen=True)
class Tail:
    """So many rows, shared by so many programs. Microseconds: the median, and the quantiles between which three runs in five lie."""

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


def recorded(device: str = DEVICE) -> list[Tail]:
    return rows(Tail, "tail", device)
