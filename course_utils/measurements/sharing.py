"""Wide rows, read twice by one program each, read twice by many in two kernels, and read once by a team, all late and early.

The team also by a cooperative launch, where CUDA finds all its programs a place; the best copy on the same buffers beside it.
"""

from dataclasses import dataclass, replace
from functools import partial

SHAPES = [
    (4096, 131072, "float32"),
    (4096, 131072, "bfloat16"),
    (64, 131072, "bfloat16"),
    (64, 131072, "float32"),
    (8, 65536, "float32"),
    (8, 131072, "float32"),
    (1, 131072, "float32"),
]
COMPILES = True
COPY = {"how": "copy"}  # the lines that time the best copy on the same buffers


@dataclass(frozen=True)
class Line:
    rows: int
    columns: int
    dtype: str
    how: str
    median_us: float
    low_us: float
    high_us: float


def cases():
    return [{"rows": rows, "columns": columns, "dtype": dtype} for rows, columns, dtype in SHAPES]


def measure(rows, columns, dtype):
    from ..softmax.two_passes import two_pass_softmax
    from .bench.experiment import Note
    from .bench.stopwatch import compare, inputs_for
    from .ruler import copies

    ways = {"two passes": two_pass_softmax}
    for early, name in enumerate(("", ", early")):
        ways[f"two kernels{name}"] = partial(_two_kernels, bool(early))
        ways[f"team{name}"] = partial(_team, bool(early), False)
    ways["team, cooperative"] = partial(_team, False, True)
    late = {way: copy for way, copy in copies().items() if not way[-1]}
    refused = {}
    found = compare(ways | late, lambda: inputs_for(rows, columns, dtype, "cuda"), seconds=0.01, refused=refused)
    best = min((timing for (way, _), timing in found.items() if way in late), key=lambda timing: timing.median)
    yield Line(rows, columns, dtype, "copy", **best.us)
    for (way, _), timing in found.items():
        if way in ways:
            yield Line(rows, columns, dtype, way, **timing.us)
    for (way, _), error in refused.items():
        yield Note(
            f"refused, {way}, {rows}x{columns} {dtype}", f"{type(error).__name__}: {error}".splitlines()[0][:150]
        )


def _two_kernels(early, x):
    """As `split` launches them."""
    from ..softmax import split

    y, gpu_of = x.new_empty(x.shape), split.gpu_of
    split.gpu_of = lambda device: replace(gpu_of(device), early=early)
    try:
        split.split(y, x)
    finally:
        split.gpu_of = gpu_of
    return y


def _team(early, cooperative, x):
    from ..softmax.choose import Shape, gpu_of, team

    gpu = replace(gpu_of(x.device), early=early)
    launch = team(Shape(*x.shape, x.element_size(), x.stride(0)), gpu)
    if cooperative:
        launch = replace(launch, options=launch.options | {"launch_cooperative_grid": True})
    y = x.new_empty(x.shape)
    launch(y, x)
    return y
