"""Wide rows, read twice by one program each, read twice by many in two kernels, and read once by a team, all late.

The team also by a cooperative launch, where CUDA finds all its programs a place; the best copy on the same buffers beside it.
"""

from dataclasses import dataclass, replace
from functools import partial

from ..softmax import split
from ..softmax.choose import Shape, gpu_of, team
from ..softmax.two_passes import two_pass_softmax
from .bench import Note, Timed
from .ruler import beside_copies

CASES = [{"rows": rows, "columns": n, "dtype": "float32"} for rows, n in ((4096, 131072), (8, 65536), (1, 131072))]
COMPILES = True
COPY = {"how": "copy"}


@dataclass(frozen=True)
class Line(Timed):
    rows: int
    columns: int
    dtype: str
    how: str


def measure(rows, columns, dtype):
    ways = {"two passes": two_pass_softmax, "two kernels": _two_kernels, "team": _team}
    ways["team, cooperative"] = partial(_team, launch_cooperative_grid=True)
    refused = {}
    for (way, _), timing in beside_copies(ways, rows, columns, dtype, seconds=0.01, refused=refused).items():
        yield Line(rows, columns, dtype, way, **timing.us)
    for (way, _), error in refused.items():
        why = f"{type(error).__name__}: {error}".splitlines()[0][:150]
        yield Note(f"refused, {way}, {rows}x{columns} {dtype}", why)


def _late(device):
    return replace(gpu_of(device), early=False)


def _two_kernels(x):
    """As `split` launches them."""
    y, split.gpu_of = x.new_empty(x.shape), _late
    try:
        split.split(y, x)
    finally:
        split.gpu_of = gpu_of
    return y


def _team(x, **options):
    launch = team(Shape(*x.shape, x.element_size(), x.stride(0)), _late(x.device))
    y = x.new_empty(x.shape)
    replace(launch, options=launch.options | options)(y, x)
    return y
