"""What a real GPU says of persistence and of pipeline stages: the same softmax at every width, in five ways."""

from dataclasses import dataclass

from .recorded import DEVICE, rows

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


def recorded(device: str = DEVICE) -> list[Run]:
    """What was recorded on this device; the first lines of the file say when, where and with what."""
    return rows(Run, "pipeline", device)
