"""The steps from the row kernel to `softmax`, measured: what each takes of the GPU, and how long it takes.

A step that changes nothing for a shape launches what an earlier one launched (`same_as`), and has that one's figures.
"""

from dataclasses import dataclass, replace
from functools import cache
from statistics import geometric_mean

from .recorded import DEVICE, FOLDER, matrix_bytes, rows, times

ROWS = 4096
DTYPES = ("float32", "bfloat16")
COLUMNS = (256, 512, 781, 1000, 1024, 2048, 2049, 3072, 4096, 4097, 8192, 12671, 12672, 16384, 32768)
BESIDE = ("copy", "softmax")  # what the steps are held against


@dataclass(frozen=True)
class Rung:
    """A step at one shape, in one state of the cache. Microseconds: the median of so many rounds, and the lowest and highest.

    What was measured beside the steps has the times alone.
    """

    dtype: str
    columns: int
    state: str
    step: str
    same_as: str
    median_us: float
    low_us: float
    high_us: float
    rounds: int
    programs: int = 0
    warps: int = 0
    registers: int = 0  # of a thread
    spills: int = 0  # of those, how many went to memory
    shared: int = 0  # bytes of a program
    barriers: int = 0  # in its PTX
    at_once: int = 0  # programs that the driver puts on a multiprocessor

    @property
    def bandwidth(self) -> float:
        """GB/s over the fewest bytes a softmax moves."""
        return 2 * matrix_bytes(ROWS, self.columns, self.dtype) / self.median_us / 1e3


def devices() -> list[str]:
    """The devices that the steps were recorded on, the one that the text speaks of first."""
    found = (path.name.removesuffix("-ladder.csv") for path in FOLDER.glob("*-ladder.csv"))
    return sorted(found, key=lambda name: (name != DEVICE, name))


@cache
def recorded(device: str = DEVICE) -> list[Rung]:
    """Every rung. A copy was recorded beside the providers too; of the two the faster is the yardstick."""
    return [_fastest_copy(rung, device) if rung.step == "copy" else rung for rung in rows(Rung, "ladder", device)]


def _fastest_copy(rung: Rung, device: str) -> Rung:
    try:
        found = times(rung.state, device).one("copy", rung.columns, rung.dtype, ROWS)
    except LookupError:  # not every width of the steps is one of the sweep
        return rung
    return replace(rung, median_us=min(rung.median_us, found.median))


def at(columns: int, dtype: str = "float32", state: str = "sustained", device: str = DEVICE) -> dict[str, Rung]:
    """Every step at one shape, and what was measured beside them, by name."""
    return {
        rung.step: rung
        for rung in recorded(device)
        if (rung.columns, rung.dtype, rung.state) == (columns, dtype, state)
    }


def curves(names, dtype: str = "float32", device: str = DEVICE) -> dict[str, dict[int, float]]:
    """{step: {columns: GB/s}}, sustained: what `figures.bandwidth_curves` draws."""
    found = {name: {} for name in names}
    for rung in recorded(device):
        if rung.step in found and (rung.dtype, rung.state) == (dtype, "sustained"):
            found[rung.step][rung.columns] = rung.bandwidth
    return found


def worth(step: str, before: str, state: str = "sustained", device: str = DEVICE) -> float:
    """The change in time from one step to another, on average over every recorded shape: −0.1 is 10 % faster."""
    shapes = [at(columns, dtype, state, device) for dtype in DTYPES for columns in COLUMNS]
    return geometric_mean(rungs[step].median_us / rungs[before].median_us for rungs in shapes if rungs) - 1
