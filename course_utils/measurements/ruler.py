"""The ruler: the fastest copy of so many bytes that anybody could write, late and early. A copy does not ask what bytes mean."""

from dataclasses import dataclass
from functools import cache

from .bench.experiment import recorded

WIDTHS = (256, 512, 781, 1000, 1024, 1536, 2048, 3072, 4096, 4097, 8192, 12671, 12672, 16384, 32768, 65536, 131072)
SHAPES = [(4096, n) for n in WIDTHS] + [(2**20, 128)]
SHAPES += [(rows, n) for rows in (1, 16, 300, 1000, 16384, 65536) for n in (1024, 4096)] + [
    (16, 16384),
    (8, 131072),
    (64, 131072),
]
SIZES = (
    (512, 4),
    (1024, 4),
    (2048, 4),
    (4096, 4),
    (8192, 8),
)  # elements of float32 that a program copies, and its warps
HINTS = (("", ""), ("evict_last", ""), ("evict_last", "evict_first"), ("evict_first", "evict_first"))
STATES = ("sustained", "hot")
COMPILES = True


@dataclass(frozen=True)
class Line:
    state: str
    bytes: int  # read; as many are written
    block: int  # bytes of a program
    warps: int
    load: str  # what the cache is told
    store: str
    early: int
    median_us: float
    low_us: float
    high_us: float


def cases():
    # Half the width in float32 is the whole in 16 bits.
    sizes = {rows * columns * size for rows, columns in SHAPES for size in (4, 2)}
    return [{"state": state, "bytes": each} for state in STATES for each in sorted(sizes)]


def measure(state, bytes):
    import torch

    from .bench.stopwatch import compare, inputs_for

    exact = 4 if bytes % 4 == 0 else 2
    found = compare(
        copies(),
        lambda: inputs_for(1, bytes // exact, torch.float32 if exact == 4 else torch.bfloat16, "cuda"),
        (state,),
        seconds=0.006,
    )
    for (way, _), timing in found.items():
        block, *rest = way
        yield Line(state, bytes, block * exact, *rest, **timing.us)


def copies() -> dict:
    """{(elements of a program, warps, two hints, early): a copy of such a kind}."""
    from functools import partial

    from .bench.kernels import copy

    ways = [(*size, *hints, early) for size in SIZES for hints in HINTS for early in (0, 1)]
    return {way: partial(copy, early=bool(way[-1]), block=way[0], warps=way[1], hints=way[2:4]) for way in ways}


@cache
def best(bytes: int, state: str = "sustained", early: bool = False, device: str = "h100-80gb-hbm3") -> Line:
    """The fastest copy of so many bytes."""
    return min(recorded("ruler", device, state=state, bytes=bytes, early=int(early)), key=lambda line: line.median_us)
