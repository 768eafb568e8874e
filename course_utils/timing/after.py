"""What the kernel after `softmax` pays for, or gains from, the hint that `softmax` gave to the cache."""

from dataclasses import dataclass
from functools import cache

from .recorded import DEVICE, rows

ROWS = 4096
CASES = tuple(("float32", n) for n in (512, 1024, 2048, 4096)) + tuple(
    ("bfloat16", n) for n in (1024, 2048, 4096, 8192)
)
HINTS = ("", "evict_last", "evict_first")
READ_NEXT = ("nothing", "its result", "its input", "a third matrix")


@dataclass(frozen=True)
class After:
    """Both kernels together, sustained. Microseconds: the median of three rounds, and the lowest and highest."""

    dtype: str
    columns: int
    hint: str
    read_next: str
    median_us: float
    low_us: float
    high_us: float


@cache
def recorded(device: str = DEVICE) -> list[After]:
    return rows(After, "after", device)


def took(dtype: str, columns: int, hint: str, read_next: str, device: str = DEVICE) -> float:
    """Microseconds of `softmax` with such a hint and the kernel after it."""
    wanted = dtype, columns, hint, read_next
    return next(a.median_us for a in recorded(device) if (a.dtype, a.columns, a.hint, a.read_next) == wanted)


def beside_no_hint(dtype: str, columns: int, hint: str, read_next: str) -> float:
    """How many times as long they take as without any hint."""
    return took(dtype, columns, hint, read_next) / took(dtype, columns, "", read_next)
