"""How long a softmax takes, everybody's, at every width, in four states of the cache."""

from dataclasses import dataclass
from functools import cache

from .. import backend
from . import tiles
from .bench import STATES, Note, compare, every, inputs_for, matrix_bytes, recorded, timed_line
from .bench.experiment import provenance
from .bench.peers import prepared_for, providers
from .ruler import beside_copies

ROWS = 4096
WIDTHS = (*tiles.WIDTHS, 131072)  # the scoreboard's
MORE = (512, 1000, 1536, 2048, 3072, 4096, 12671, 16384, 65536)
ALONE = (256, 1024, 4096, 12672)  # where a launch is also timed alone, after a cache emptied by reading or writing
SECONDS = 0.006

# flashinfer as it comes, which starts early where the GPU can
PEERS = ("torch", "compile", "liger", "gems", "quack", "helion", "flashinfer")
CONTEST = (*PEERS, "tile", "softmax", "softmax late")  # the course's: as 05 launches it; finished, early and late
CASES = every(columns=(*WIDTHS, *MORE), dtype=tiles.DTYPES)
COMPILES = True


class Line(timed_line(state=str, dtype=str, rows=int, columns=int, provider=str)):
    @property
    def bandwidth(self) -> float:
        """GB/s over the fewest bytes a softmax moves: 2·M·N elements."""
        return 2 * matrix_bytes(self.rows, self.columns, self.dtype) / self.median_us / 1e3


def measure(columns, dtype):
    """Everybody on the same buffers, in random turns; the best copy among them. On an NPU whoever runs there takes part."""
    npu, states = backend.mode == "npu", STATES if columns in ALONE else ("sustained", "hot")
    asked = [each.name for each in providers() if (npu or each.name in CONTEST) and columns <= each.columns]
    functions, refused = prepared_for(asked), {}
    how = {"states": states, "seconds": SECONDS, "refused": refused}
    if npu:
        found = compare(functions, lambda: inputs_for(ROWS, columns, dtype, backend.device), **how)
    else:
        found = beside_copies(functions, ROWS, columns, dtype, **how)
    for (name, state), timing in found.items():
        yield Line(state, dtype, ROWS, columns, name, **timing.us)
    for (name, _), error in refused.items():
        yield Note(f"refused, {name}, {dtype}, {type(error).__name__}", f"{ROWS}x{columns}")


@dataclass(frozen=True)
class Sweep:
    """All that was recorded in one state."""

    lines: tuple[Line, ...]
    provenance: dict[str, str]

    def curves(self, dtype: str = "float32") -> dict[str, dict[int, float]]:
        """{provider: {columns: GB/s}}: what `figures.speed_curves` draws."""
        found: dict[str, dict[int, float]] = {}
        for line in self.lines:
            if line.dtype == dtype:
                found.setdefault(line.provider, {})[line.columns] = line.bandwidth
        return found

    def us(self, columns: int, dtype: str = "float32") -> dict[str, float]:
        """{provider: microseconds}"""
        here = (line for line in self.lines if (line.columns, line.dtype) == (columns, dtype))
        return {line.provider: line.median_us for line in here}


@cache
def sweep(state: str = "sustained", device: str = "") -> Sweep:
    return Sweep(tuple(recorded("times", device, state=state)), provenance("times", device))
