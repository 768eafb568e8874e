"""How long a softmax takes, everybody's, at every shape, in four states of the cache."""

from dataclasses import dataclass
from functools import cache, cached_property

from .bench.experiment import Note, provenance, recorded
from .bench.recording import DEVICE, matrix_bytes
from .bench.stopwatch import STATES, compare, inputs_for

ROWS = 4096
DTYPES = ("float32", "bfloat16", "float16")
POWERS = (16384, 32768, 65536, 131072)
ODD = (781, 1000, 4001, 12671, 40001, 50000, 100001)
WIDTHS = (256, 512, 781, 1024, 1536, 2048, 3072, 4001, 4096, 8192, 12672, 32768, 65536, 131072)  # in every state
SWEEP = sorted({*range(256, 12673, 128), *ODD, *POWERS})  # sustained
FEW_ROWS = [(rows, columns) for columns in (2**17, 2**20) for rows in (1, 8, 64)]
TUNED = (1024, 4096, 12672, 32768)  # where those are measured that tune themselves: it takes minutes
IN_EVERY_STATE = ("torch", "compile", "liger", "gems", "quack")
PEERS = (*IN_EVERY_STATE, "compile tuned", "helion")
COMPILES = True


@dataclass(frozen=True)
class Line:
    state: str
    dtype: str
    rows: int
    columns: int
    provider: str
    median_us: float
    low_us: float
    high_us: float
    kernel: str = ""  # of the course's softmax: the one it chose

    @property
    def bandwidth(self) -> float:
        """GB/s over the fewest bytes a softmax moves: 2·M·N elements."""
        return 2 * matrix_bytes(self.rows, self.columns, self.dtype) / self.median_us / 1e3


def cases():
    everywhere = [(ROWS, n) for n in WIDTHS] + FEW_ROWS
    shapes = [(state, *shape) for shape in everywhere for state in STATES]
    shapes += [("sustained", ROWS, n) for n in SWEEP if n not in WIDTHS]
    return [
        {"state": state, "dtype": dtype, "rows": rows, "columns": n} for state, rows, n in shapes for dtype in DTYPES
    ]


def measure(state, dtype, rows, columns):
    import torch

    from ..backend import device
    from .bench.peers import prepared_for, providers

    whole = rows == ROWS and columns in (*WIDTHS, *ODD)
    asked = [each.name for each in providers() if columns <= each.columns and (whole or rows != ROWS or not each.slow)]
    if columns not in TUNED or rows != ROWS:
        asked = [each.name for each in providers() if each.name in asked and not each.tunes]
    x = torch.empty(rows, columns, dtype=getattr(torch, dtype), device=device)
    functions, refused = prepared_for(x, asked), {}
    found = compare(functions, lambda: inputs_for(rows, columns, dtype, device), (state,), refused=refused)
    for (name, _), timing in found.items():
        kernel = _kernel(x) if name == "softmax" else ""
        yield Line(state, dtype, rows, columns, name, **timing.us, kernel=kernel)
        if config := getattr(functions[name].made[0], "tuned", ""):
            yield Note(f"tuned, {name}, {dtype}, {rows}x{columns}, {state}", config)
    for (name, _), error in refused.items():
        yield Note(f"refused, {name}, {dtype}, {type(error).__name__}", f"{rows}x{columns}")


def _kernel(x) -> str:
    """The one kernel that the course's softmax takes for `x`; nothing where it takes two."""
    from .. import hardware
    from ..backend import mode
    from ..softmax.choose import choose
    from ..softmax.npu import choose_on_npu

    if mode == "npu":
        kernel, _ = choose_on_npu(x.shape[1], hardware.here())
    else:
        launch = choose(x.new_empty(x.shape), x)
        kernel = launch and launch.kernel
    return kernel.fn.__name__.removesuffix("_kernel") if kernel else ""


@dataclass(frozen=True)
class Sweep:
    """All that was recorded in one state."""

    lines: tuple[Line, ...]
    provenance: dict[str, str]

    def curves(self, dtype: str = "float32", rows: int = ROWS) -> dict[str, dict[int, float]]:
        """{provider: {columns: GB/s}}: what `figures.bandwidth_curves` draws."""
        found: dict[str, dict[int, float]] = {}
        for line in self.lines:
            if (line.dtype, line.rows) == (dtype, rows):
                found.setdefault(line.provider, {})[line.columns] = line.bandwidth
        return found

    def one(self, provider: str, columns: int, dtype: str = "float32", rows: int = ROWS) -> Line:
        try:
            return self._index[provider, columns, dtype, rows]
        except KeyError:
            raise LookupError(f"{provider}, {dtype}, {rows}×{columns}") from None

    @cached_property
    def _index(self) -> dict:
        return {(line.provider, line.columns, line.dtype, line.rows): line for line in self.lines}


@cache
def sweep(state: str = "sustained", device: str = DEVICE) -> Sweep:
    return Sweep(tuple(recorded("times", device, state=state)), provenance("times", device))


def leads(state: str, device: str = DEVICE) -> dict[tuple[str, int, int], tuple[int, str]]:
    """{(dtype, rows, columns): (by how many per cent `softmax` leads the fastest peer, who that is)}."""
    shapes: dict[tuple, dict[str, float]] = {}
    for line in sweep(state, device).lines:
        shapes.setdefault((line.dtype, line.rows, line.columns), {})[line.provider] = line.median_us
    found = {}
    for shape, medians in shapes.items():
        if {"compile", "softmax"} <= medians.keys():  # at some widths one of them was recorded alone
            time, peer = min((medians[peer], peer) for peer in PEERS if peer in medians)
            found[shape] = round(100 * (time / medians["softmax"] - 1)), peer
    return found


def beside_the_best(ours: str, dtype: str, state: str = "sustained", device: str = DEVICE) -> dict[int, float]:
    """{columns: how many times as fast as the fastest peer}, wherever QuACK was recorded; among those recorded in every state."""
    curves = sweep(state, device).curves(dtype)
    best = {n: max(curves[peer][n] for peer in IN_EVERY_STATE if n in curves[peer]) for n in curves["quack"]}
    return {n: speed / best[n] for n, speed in curves[ours].items() if n in best}


def noise(state: str, device: str = DEVICE) -> list[float]:
    """How far apart two measurements of the same `softmax` lie, shape by shape: 0.01 is a per cent."""
    found = sweep(state, device)
    once = [line for line in found.lines if line.provider == "softmax"]
    again = [found.one("softmax again", line.columns, line.dtype, line.rows) for line in once]
    return [abs(b.median_us / a.median_us - 1) for a, b in zip(once, again, strict=True)]
