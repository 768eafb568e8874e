"""How long the operations of training take, each beside the fewest bytes it can move and a kernel that moves just those."""

from dataclasses import dataclass

from .bench.experiment import Note
from .bench.recording import matrix_bytes

# Matrices read and written, of M rows and N columns.
FLOORS = {
    "softmax backward": (2, 1),
    "log_softmax": (1, 1),
    "log_softmax backward": (2, 1),
    "cross_entropy": (1, 0),
    "cross_entropy backward": (1, 1),
}
WIDTHS = (1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072)
VOCABULARIES = (32768, 50257, 131072, 262144)
ROWS = 4096
COMPILES = True


@dataclass(frozen=True)
class Line:
    """Microseconds, sustained: the median, and the lowest and highest."""

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


def cases():
    return [
        {"operation": operation, "dtype": dtype, "columns": columns}
        for operation in FLOORS
        for dtype in ("float32", "bfloat16")
        for columns in (VOCABULARIES if operation.startswith("cross") else WIDTHS)
    ]


def measure(operation, dtype, columns):
    from .bench.operations import functions_for
    from .bench.stopwatch import compare, inputs_for

    read, _ = FLOORS[operation]

    def inputs():
        found = inputs_for(read * ROWS, columns, dtype, "cuda")
        return found if read == 1 else [x.view(read, ROWS, columns) for x in found]

    refused = {}
    for (name, _), timing in compare(functions_for(operation, FLOORS[operation]), inputs, refused=refused).items():
        yield Line(operation, name, dtype, ROWS, columns, **timing.us)
    for (name, _), error in refused.items():
        yield Note(f"refused, {name}, {operation}, {dtype}, {type(error).__name__}", str(columns))
