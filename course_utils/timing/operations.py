"""How long the operations of training take, each beside the fewest bytes it can move and a kernel that moves just those."""

from dataclasses import dataclass

from .recorded import DEVICE, matrix_bytes, rows

# Matrices read and written, of M rows and N columns.
FLOORS = {
    "log_softmax": (1, 1),
    "softmax backward": (2, 1),
    "log_softmax backward": (2, 1),
    "cross_entropy": (1, 0),
    "cross_entropy backward": (1, 1),
}
WIDTHS = (1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072)
VOCABULARIES = (32768, 50257, 131072, 262144)
ROWS = 4096


@dataclass(frozen=True)
class Operation:
    """One line of the recording. Microseconds, sustained: the median, and the quantiles between which three runs in five lie."""

    operation: str
    provider: str
    dtype: str
    rows: int
    columns: int
    median_us: float
    low_us: float
    high_us: float

    @property
    def bandwidth(self) -> float:
        """GB/s over the fewest bytes that this operation can move."""
        return sum(FLOORS[self.operation]) * matrix_bytes(self.rows, self.columns, self.dtype) / self.median_us / 1e3


def recorded(device: str = DEVICE) -> list[Operation]:
    return rows(Operation, "operations", device)
