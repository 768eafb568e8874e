"""The climb: in each cell of the scoreboard every notebook's kernel and every step of 07, beside the best copies, all on the same buffers."""

from dataclasses import dataclass, replace
from functools import partial

from .bench.experiment import recorded

COLUMNS = (256, 781, 1024, 4097, 8192, 12672, 32768)
SHAPES = [(4096, n) for n in COLUMNS] + [(2**20, 128), (4096, 1000), (4096, 12671), (4096, 131072)]
DTYPES, HOT = ("float32", "bfloat16"), 8192
BLOCKS = (
    (4096, 4),
    (4096, 8),
    (8192, 8),
    (8192, 16),
    (16384, 16),
)  # columns at a time and warps, where a row goes by in blocks
TILES, COPIES = 6, 4  # as many of the fastest that were recorded are tried
COMPILES = True
COPY = {"step": "copy"}  # the lines that time the best copy on the same buffers


@dataclass(frozen=True)
class Line:
    state: str
    rows: int
    columns: int
    dtype: str
    step: str  # row, tile, a step of `softmax.steps` or its meeting, softmax, two passes, copy
    together: int  # rows of a tile; elsewhere 0
    warps: int
    block: int  # columns at a time of two passes, bytes of a copy's program; elsewhere 0
    early: int
    registers: int  # of a thread, where it is a step; elsewhere 0
    barriers: int  # in its PTX
    median_us: float
    low_us: float
    high_us: float


def cases():
    hot = [{"state": "hot", "rows": 4096, "columns": HOT, "dtype": dtype} for dtype in DTYPES]
    shapes = [(*shape, dtype) for shape in SHAPES for dtype in DTYPES]
    return [{"state": "sustained", "rows": r, "columns": n, "dtype": dtype} for r, n, dtype in shapes] + hot


def measure(state, rows, columns, dtype):
    from .bench.stopwatch import compare, inputs_for

    functions, steps = ways(rows, columns, dtype, state), _steps(rows, columns, dtype)
    needs = {step: _needs(launch, rows, columns, dtype) for step, launch in steps.items()}
    found = compare(functions, lambda: inputs_for(rows, columns, dtype, "cuda"), (state,), seconds=0.01, refused={})
    best = {}
    for (way, _), timing in found.items():
        step, together, warps, block, early = (way[0], 0, way[2], way[1], way[-1]) if way[0] == "copy" else way
        # Of the copies, late and early, and of two passes the fastest stands for all.
        key = (step, early) if step in ("copy", "two passes") else way
        line = Line(
            state, rows, columns, dtype, step, together, warps, block, early, *needs.get(step, (0, 0)), **timing.us
        )
        best[key] = min(best.get(key, line), line, key=lambda each: each.median_us)
    yield from best.values()
    if not any(line.step == "softmax" and not line.early for line in best.values()):
        yield from (replace(line, step="softmax") for line in best.values() if line.step == "powers")  # it is the same


def ways(rows: int, columns: int, dtype: str, state: str = "sustained") -> dict:
    """{(step, rows of a tile, warps, block, early): what takes an input and returns its softmax}, and the copies by their kind."""
    import torch

    from ..softmax.choose import Shape, gpu_of, launch_for
    from .placing import softmax_by
    from .without import launched

    shape, gpu = Shape(rows, columns, getattr(torch, dtype).itemsize, columns), gpu_of(torch.device("cuda", 0))
    found = dict(_copies(rows * columns * shape.size, shape.size, state))
    launch = launch_for(shape, gpu)
    found["softmax", 0, launch.options["num_warps"], 0, 1] = launched(launch)
    if launch.mailbox:  # a team
        found["softmax", 0, launch.options["num_warps"], 0, 0] = launched(_late(launch))
    if columns > max(COLUMNS):  # no program holds a row
        return found | {("two passes", 0, w, block, 0): partial(two_passes, block, w) for block, w in BLOCKS}
    found["row", 0, 4, 0, 0] = row
    for together, warps in _tiles(rows, columns, dtype):
        found["tile", together, warps, 0, 0] = partial(softmax_by, together, warps, 0, 0)
    for step, each in _steps(rows, columns, dtype).items():
        found[step, 0, each.options["num_warps"], 0, 0] = launched(each)
    return found


def row(x):
    from ..softmax.row_kernel import row_kernel

    y, (rows, columns) = x.new_empty(x.shape), x.shape
    block = 1 << (columns - 1).bit_length()
    row_kernel[(rows,)](y, x, columns, columns, columns, BLOCK_SIZE=block, num_warps=4)
    return y


def two_passes(block: int, warps: int, x):
    from ..softmax.two_passes import two_pass_kernel

    y, (rows, columns) = x.new_empty(x.shape), x.shape
    two_pass_kernel[(rows,)](y, x, columns, columns, columns, BLOCK_SIZE=block, num_warps=warps)
    return y


def _steps(rows: int, columns: int, dtype: str) -> dict:
    import torch

    from ..softmax.choose import Shape, gpu_of
    from ..softmax.steps import launches

    if columns > max(COLUMNS):
        return {}
    shape = Shape(rows, columns, getattr(torch, dtype).itemsize, columns)
    return launches(shape, gpu_of(torch.device("cuda", 0)))


def _needs(launch, rows: int, columns: int, dtype: str) -> tuple[int, int]:
    """Registers of a thread, and barriers."""
    import torch

    y, x = torch.zeros(2, rows, columns, dtype=getattr(torch, dtype), device="cuda")
    compiled = launch.kernel[(launch.programs,)](y, x, *launch.sizes, **launch.constants, **launch.options)
    return compiled.n_regs, compiled.asm["ptx"].count("bar.sync")


def _late(launch):
    options = {name: value for name, value in launch.options.items() if name != "launch_pdl"}
    return replace(launch, constants=launch.constants | {"EARLY": False}, options=options, short=None)


def _copies(bytes: int, size: int, state: str, device: str = "h100-80gb-hbm3"):
    """The fastest that were recorded of so many bytes, late and early; all kinds, where nothing was."""
    from .bench.kernels import copy
    from .ruler import HINTS, SIZES

    for early in (0, 1):
        lines = sorted(
            recorded("ruler", device, state=state, bytes=bytes, early=early), key=lambda line: line.median_us
        )
        chosen = [(line.block, line.warps, (line.load, line.store)) for line in lines[:COPIES]]
        for block, warps, hints in chosen or [(4 * n, warps, hints) for n, warps in SIZES for hints in HINTS]:
            how = "copy", block, warps, *hints, early
            yield how, partial(copy, early=bool(early), block=block // size, warps=warps, hints=hints)


def _tiles(rows: int, columns: int, dtype: str, device: str = "h100-80gb-hbm3") -> list[tuple[int, int]]:
    """(rows of a tile, warps): the fastest that were recorded, and the fastest of 4 warps."""
    recorded_at = {1000: 1024, 12671: 12672}.get(columns, columns)
    lines = recorded("tiles", device, rows=rows, columns=recorded_at, dtype=dtype)
    lines = sorted((line for line in lines if line.together), key=lambda line: line.median_us)
    four = next(line for line in lines if line.warps == 4)
    return list(dict.fromkeys((line.together, line.warps) for line in [four, *lines[:TILES]]))
