"""How long a softmax takes, everybody's, at every shape, in four states of the cache."""

from dataclasses import dataclass
from functools import cache, cached_property, partial

from ..table import Table
from .bench.experiment import Note, devices, provenance, recorded
from .bench.recording import DEVICE, matrix_bytes
from .bench.stopwatch import STATES, compare, inputs_for

RULED = "h100-80gb-hbm3"  # where the ruler was recorded
ROWS = 4096
DTYPES = ("float32", "bfloat16")
WIDTHS = (256, 781, 1024, 4097, 8192, 12672, 32768, 131072)  # the scoreboard's
MORE = (512, 1000, 1536, 2048, 3072, 4096, 12671, 16384, 65536)
TUNED_ON_NONE = [(rows, n) for rows in (1, 16, 300, 1000, 16384, 65536) for n in (1024, 4096)] + [
    (16, 16384), (8, 131072), (64, 131072), (2**20, 128),
]  # fmt: skip  # shapes that no rule of the course was tuned on
ALONE = (
    256,
    1024,
    4096,
    12672,
)  # columns at which a launch is also timed alone, after a cache emptied by reading or writing
SECONDS = 0.006
IN_EVERY_STATE = ("torch", "compile", "liger", "gems", "quack")
PEERS = (*IN_EVERY_STATE, "helion", "flashinfer")  # flashinfer as it comes, which starts early where the GPU can
ENTRANT = "tile"  # of the course, as 05 launches it
CONTEST = (*PEERS, "flashinfer late", ENTRANT, "softmax", "softmax again", "softmax late")
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
    shapes = [(ROWS, n) for n in (*WIDTHS, *MORE)]
    some = [shape for shape in TUNED_ON_NONE if shape[0] < ROWS]
    shapes += some + [shape for shape in TUNED_ON_NONE if shape not in some]
    return [{"dtype": dtype, "rows": rows, "columns": n} for rows, n in shapes for dtype in DTYPES]


def states_of(rows, columns) -> tuple[str, ...]:
    return STATES if rows == ROWS and columns in ALONE else ("sustained", "hot")


def measure(dtype, rows, columns, who=CONTEST):
    """Everybody on the same buffers, in random turns; the best copies of the ruler among them."""
    import torch

    from ..backend import device, mode
    from .bench.peers import prepared_for, providers

    npu = mode == "npu"  # there whoever runs takes part
    asked = [each.name for each in providers() if (npu or each.name in who) and columns <= each.columns]
    if rows != ROWS:
        asked = [name for name in asked if name not in ("softmax again", "helion")]  # which searches each shape anew
    x = torch.empty(rows, columns, dtype=getattr(torch, dtype), device=device).normal_()
    functions, refused, kernel = prepared_for(x, asked), {}, _kernel(x)
    copies = {} if npu else _copies(rows * columns * x.element_size())
    states = states_of(rows, columns)
    found = compare(
        functions | copies, lambda: inputs_for(rows, columns, dtype, device), states, seconds=SECONDS, refused=refused
    )
    for state in states:
        for early, name in enumerate(("copy", "copy early")):
            ways = [found[way, state] for way in copies if way[-1] == early and (way, state) in found]
            if ways:
                yield Line(state, dtype, rows, columns, name, **min(ways, key=lambda each: each.median).us)
        for name in functions:
            if (name, state) in found:
                chosen = kernel if name == "softmax" else ""
                yield Line(state, dtype, rows, columns, name, **found[name, state].us, kernel=chosen)
    for name, function in functions.items():
        if function.made and (config := getattr(function.made[0], "tuned", "")):
            yield Note(f"tuned, {name}, {dtype}, {rows}x{columns}", config)
    for (name, _), error in refused.items():
        yield Note(f"refused, {name}, {dtype}, {type(error).__name__}", f"{rows}x{columns}")


def _copies(bytes: int) -> dict:
    """The ruler's fastest copies of so many bytes, late and early, sustained and hot; all of them where none was recorded."""
    from .ruler import copies

    every, chosen = copies(), []
    for early in (0, 1):
        for state in ("sustained", "hot"):
            lines = recorded("ruler", RULED, bytes=bytes, state=state, early=early)
            for line in sorted(lines, key=lambda line: line.median_us)[:1]:
                element = 4 if bytes % 4 == 0 else 2
                chosen.append((line.block // element, line.warps, line.load, line.store, early))
    return {way: partial(_flat, every[way]) for way in chosen or every}


def _flat(copy, x):
    """A copy does not ask what bytes mean."""
    import torch

    x = x.view(-1)
    return copy(x.view(torch.float32) if x.nbytes % 4 == 0 else x)


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

    def has(self, *where) -> bool:
        return where in self._index

    @cached_property
    def _index(self) -> dict:
        return {(line.provider, line.columns, line.dtype, line.rows): line for line in self.lines}


@cache
def sweep(state: str = "sustained", device: str = DEVICE) -> Sweep:
    lines = recorded("times", device, state=state)
    if device in devices("entrant"):  # recorded apart, with the same versions
        lines = [line for line in lines if line.provider != ENTRANT]
        lines += [Line(**vars(line)) for line in recorded("entrant", device, state=state, provider=ENTRANT)]
    return Sweep(tuple(lines), provenance("times", device))


def contest(who: str, *shapes: tuple[int, int], dtype: str = "float32", device: str = RULED) -> Table:
    """How many times as fast as the fastest peer `who` is at each (rows, columns), sustained and hot, and who that peer is."""
    table = Table("M × N", "sustained", "对手 · peer", "hot", "对手 · peer")
    for rows, columns in shapes:
        cells = []
        for state in ("sustained", "hot"):
            found = sweep(state, device)
            times = {
                p: found.one(p, columns, dtype, rows).median_us for p in PEERS if found.has(p, columns, dtype, rows)
            }
            fastest = min(times, key=times.get)
            cells += [f"{times[fastest] / found.one(who, columns, dtype, rows).median_us:.2f}", fastest]
        table.add(f"{rows} × {columns}", *cells)
    return table
