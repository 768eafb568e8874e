"""One kernel and one matrix, launched with ever more programs on each multiprocessor. Recorded once."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Line:
    per_multiprocessor: int
    num_warps: int
    stages: int
    rows: int
    columns: int
    median_ms: float
    low_ms: float
    high_ms: float

    @property
    def median_us(self) -> float:
        return 1000 * self.median_ms

    @property
    def bandwidth(self) -> float:
        """GB/s of reading the matrix once and writing it once, in float32."""
        return 2 * 4 * self.rows * self.columns / self.median_ms / 1e6
