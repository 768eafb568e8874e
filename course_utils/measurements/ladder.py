"""The steps from the row kernel to `softmax`, measured: what each takes of the GPU, and how long it takes.

A step that changes nothing for a shape launches what an earlier one launched (`same_as`), and has that one's figures.
"""

from dataclasses import dataclass, replace
from functools import cache
from statistics import geometric_mean

from . import times
from .bench.experiment import recorded
from .bench.recording import DEVICE, matrix_bytes

ROWS, ROUNDS = 4096, 3
DTYPES = ("float32", "bfloat16")
COLUMNS = (256, 512, 781, 1000, 1024, 2048, 2049, 3072, 4096, 4097, 8192, 12671, 12672, 16384, 32768)
BESIDE = ("copy", "softmax")  # what the steps are held against
STATES = ("sustained", "hot", "dirty")
DIRTY = {"copy", "wide", "hints", "softmax"}  # that state is shown for the hints alone
COMPILES = True


@dataclass(frozen=True)
class Line:
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


def cases():
    from ..softmax.ladder.choose import WIDEST

    size = {"float32": 4, "bfloat16": 2}
    return [{"dtype": dtype, "columns": n} for n in COLUMNS for dtype in DTYPES if n <= WIDEST[size[dtype]]]


def measure(dtype, columns):
    from ..softmax.ladder import STEPS, same_launches
    from ..softmax.ladder.choose import Shape, gpu_of
    from .bench.peers import prepared_for
    from .bench.stopwatch import compare, inputs_for

    x = inputs_for(ROWS, columns, dtype, "cuda")[0]
    first = same_launches(Shape(*x.shape, x.element_size(), x.stride(0), on_grid=True), gpu_of(x.device))
    needs = {step: _needs(step, x) for step in dict.fromkeys(first.values())}
    functions = prepared_for(x, BESIDE) | {step: _function(step, x) for step in needs}
    found = {}
    for state in STATES:
        asked = {first.get(name, name) for name in DIRTY} if state == "dirty" else set(functions)
        wanted = {name: function for name, function in functions.items() if name in asked}
        found |= compare(wanted, lambda: inputs_for(ROWS, columns, dtype, "cuda"), (state,), ROUNDS, seconds=0.01)
    for state in STATES:
        for name in (*BESIDE, *STEPS):
            same_as = first.get(name, name)
            if state != "dirty" or name in DIRTY:
                timing = found[same_as, state]
                yield Line(dtype, columns, state, name, same_as, **timing.us, rounds=ROUNDS, **needs.get(same_as, {}))


def _function(step: str, x):
    from ..softmax.ladder import launch_on

    launch = launch_on(step, x.new_empty(x.shape), x)

    def run(x):
        y = x.new_empty(x.shape)
        _run(launch, y, x)
        return y

    return run


def _run(launch, y, x):
    return launch.kernel[(launch.programs,)](y, x, *launch.sizes, **launch.constants, **launch.options)


def _needs(step: str, x) -> dict:
    """What a step takes of the GPU, asked of the driver."""
    from ..softmax.ladder import launch_on
    from .bench.driver import LOCAL_BYTES, REGISTERS, attribute, programs_at_once

    y = x.new_empty(x.shape)
    launch = launch_on(step, y, x)
    compiled = _run(launch, y, x)
    warps, shared = launch.options.get("num_warps", 4), compiled.metadata.shared
    return {
        "programs": launch.programs,
        "warps": warps,
        "registers": attribute(compiled.function, REGISTERS),
        "spills": attribute(compiled.function, LOCAL_BYTES) // 4,
        "shared": shared,
        "barriers": compiled.asm["ptx"].count("bar.sync"),
        "at_once": programs_at_once(compiled.function, 32 * warps, shared),
    }


@cache
def rungs(device: str = DEVICE) -> list[Line]:
    """Every line. A copy was recorded beside the providers too; of the two the faster is the yardstick."""
    return [_fastest_copy(rung, device) if rung.step == "copy" else rung for rung in recorded("ladder", device)]


def _fastest_copy(rung: Line, device: str) -> Line:
    try:
        found = times.sweep(rung.state, device).one("copy", rung.columns, rung.dtype, ROWS)
    except LookupError:  # not every width of the steps is one of the sweep
        return rung
    return replace(rung, median_us=min(rung.median_us, found.median_us))


def at(columns: int, dtype: str = "float32", state: str = "sustained", device: str = DEVICE) -> dict[str, Line]:
    """Every step at one shape, and what was measured beside them, by name."""
    wanted = columns, dtype, state
    return {rung.step: rung for rung in rungs(device) if (rung.columns, rung.dtype, rung.state) == wanted}


def curves(names, dtype: str = "float32", device: str = DEVICE) -> dict[str, dict[int, float]]:
    """{step: {columns: GB/s}}, sustained: what `figures.bandwidth_curves` draws."""
    found = {name: {} for name in names}
    for rung in rungs(device):
        if rung.step in found and (rung.dtype, rung.state) == (dtype, "sustained"):
            found[rung.step][rung.columns] = rung.bandwidth
    return found


def worth(step: str, before: str, state: str = "sustained", device: str = DEVICE) -> float:
    """The change in time from one step to another, on average over every recorded shape: −0.1 is 10 % faster."""
    shapes = [at(columns, dtype, state, device) for dtype in DTYPES for columns in COLUMNS]
    return geometric_mean(found[step].median_us / found[before].median_us for found in shapes if found) - 1
