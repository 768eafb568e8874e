"""What questions ask for and only a recording, or the launcher, can say; what follows by arithmetic stands with its question."""

from ..hardware import find
from ..measurements import decode, measure, recorded
from ..measurements.stalls import counted
from ..measurements.states import moved

FOUND = {}  # by question, "05.too_many": what finds the result, or several values of which the first decides


def finds(question: str):
    def note(function):
        FOUND[question] = function
        return function

    return note


def _us(experiment: str, **where) -> float:
    """Microseconds of the one line that was recorded so."""
    (line,) = recorded(experiment, **where)
    return line.median_us


def _by_warps(columns: int, dtype: str) -> dict[int, float]:
    """Microseconds by the number of warps, a row a program."""
    return {
        line.warps: line.median_us for line in recorded("tiles", rows=4096, columns=columns, dtype=dtype, together=1)
    }


def _step(step: str, columns: int, dtype: str = "bfloat16", **how) -> float:
    """Microseconds of a step of 07."""
    return _us("single_change", state="sustained", rows=4096, columns=columns, dtype=dtype, step=step, **how)


@finds("00.widest")
def torch_at_the_widest() -> float:
    """The share of the copy's speed that torch.softmax reaches."""
    where = {"rows": 4096, "columns": (131072,), "dtype": "float32", "state": "sustained"}
    return measure("times", provider="torch", copy=True, **where).share(131072)


@finds("01.slowest")
def slowest_call() -> tuple[str, str]:
    """Its kind and its name."""
    kinds = {"max": "reductions", "sum": "reductions", "exp": "exp", "subtract": "arithmetic", "divide": "arithmetic"}
    call = max((line for line in recorded("five_calls") if line.call in kinds), key=lambda line: line.median_us).call
    return kinds[call], call


@finds("01.column")
def without_the_column() -> float:
    return _us("five_calls", call="subtract a number")


@finds("02.counters")
def through_memory() -> float:
    """What the five calls read and write by the hardware's counters, in whole matrices."""
    lines = recorded("naive")
    return sum(line.read_bytes + line.written_bytes for line in lines) / (4 * lines[0].rows * lines[0].columns)


@finds("03.astray")
def first_error() -> int:
    return next(line.offset for line in recorded("astray", blocking=0) if line.error)


@finds("03.nearer")
def nearer() -> tuple[int, float, float]:
    """Which width comes nearer to the best copy, and what share of its speed each has."""
    at = {"rows": 4096, "dtype": "float32", "together": 1, "warps": 4}
    narrow, wide = (measure("tiles", **at, columns=(n,), copy=True).share(n) for n in (781, 1024))
    return 781 if narrow > wide else 1024, narrow, wide


@finds("04.million_rows")
def million_rows(how="row", together=1) -> float:
    return _us("placing", rows=2**20, columns=128, dtype="bfloat16", how=how, together=together, warps=1)


@finds("04.two_rows")
def two_rows() -> float:
    return million_rows("tile", 2)


@finds("05.filled")
def cells_won() -> int:
    """Of the scoreboard, where tutorial 02's launcher is faster than what 04 launches."""
    from ..board import standings
    from ..explorers.recorded import launcher_shares

    before = standings.late("04")
    return sum(share > before[cell] for cell, share in launcher_shares("tutorial").items())


@finds("05.full")
def full() -> float:
    """Staying programs of 1 warp over those of 8, which fill the SM: as many programs and four stages in both."""
    short = {"rows": 2**20, "columns": 128, "dtype": "bfloat16", "places": 8}
    return _us("staying", **short, warps=1, stages=4) / _us("staying", **short, warps=8, stages=4)


@finds("05.too_many")
def spilled() -> tuple[int, float]:
    """Registers of a thread that spill with 4 warps at 32768 columns, and how much longer that takes than the best."""
    (line,) = recorded("held", columns=32768, dtype="float32", warps=4)
    times = _by_warps(32768, "float32")
    return line.spills, times[4] / min(times.values())


@finds("05.half_the_bytes")
def fastest_warps() -> tuple[float, int, int]:
    """The fastest number of warps in bfloat16 over that in float32, and both."""
    wide, narrow = (min(times, key=times.get) for times in (_by_warps(4097, "float32"), _by_warps(4097, "bfloat16")))
    return narrow / wide, wide, narrow


@finds("05.one_too_many")
def ninth() -> float:
    """Per cent that 9 staying programs on each SM take longer than 8."""
    return 100 * (_us("staying", columns=1024, places=9) / _us("staying", columns=1024, places=8) - 1)


@finds("05.with_the_loop")
def fit_with_the_loop() -> int:
    """Programs on an SM at 4097 columns of float32."""
    (stay,) = recorded("launchers", rows=4096, columns=4097, dtype="float32", how="stay")
    return stay.places


@finds("05.no_loop")
def cells_won_without_the_loop() -> int:
    """Of the scoreboard, where a program a tile is faster than programs that stay, in 1 stage and in 4."""
    from ..explorers.recorded import launcher_shares

    stay, stages = launcher_shares("stay"), launcher_shares("stay, 4 stages")
    return sum(share > max(stay[cell], stages.get(cell, 0)) for cell, share in launcher_shares("tile").items())


@finds("05.held_out")
def worst_regret() -> float:
    """Per cent, on the shapes that were named when the rule stood."""
    from ..explorers.recorded import regrets_of
    from ..softmax.tile import launcher

    return 100 * (regrets_of(launcher, "later").worst - 1)


@finds("06.believed")
def believed() -> tuple[str, float]:
    """Whose answer is the kernel's time, within 5 %; and that time."""
    ways = ("waited", "in a row", "same input", "flushed")
    shown = measure("answers", way=(*ways, "sustained"))
    true = shown["sustained"]
    return (*(way for way in ways if abs(shown[way] / true - 1) < 0.05), "none")[0], true


@finds("06.dirty")
def dirty() -> tuple[float, float]:
    """Megabytes written and read."""
    read, written = moved("dirty")
    return written / 1e6, read / 1e6


@finds("07.slowest")
def busiest() -> tuple[str, float, float, float]:
    """What is busy all the time while 05's tile does 4097 columns of bfloat16; how busy memory, issue slots and SFU are, in per cent.

    The memory's share is that of its bandwidth, sustained: the counters see one launch on an emptied cache, which keeps part of what
    is written.
    """
    found = counted("tile", 4097, "bfloat16")
    used = 2 * 4096 * 4097 * 2 / _step("tile", 4097, warps=8) / 1e3 / find("H100").bandwidth
    busy = [name for name, share in (("memory", 100 * used), ("sfu", found["sfu"])) if share > 70]
    return (*busy, "neither")[0], 100 * used, found["issue slots"], found["sfu"]


@finds("07.pieces")
def pieces() -> float:
    """What they change where both have 8 warps."""
    return _step("pieces", 4097, warps=8) / _step("tile", 4097, warps=8) - 1


@finds("07.powers")
def powers() -> tuple[str, float, float]:
    def won(dtype):
        with_powers, without = (
            _step(step, 32768, dtype, hint="evict_last", warps=16) for step in ("powers", "neither")
        )
        return with_powers / without - 1

    wide, narrow = won("float32"), won("bfloat16")
    return "both" if abs(wide - narrow) < 0.02 else "float32" if wide < narrow else "bfloat16", wide, narrow


@finds("07.meetings")
def meetings() -> tuple[float, int, int]:
    """What fewer barriers change, and how many the two kernels have."""
    at = {"rows": 4096, "columns": 32768, "dtype": "bfloat16"}
    (powers,), (meeting,) = (recorded("climb", step=step, **at) for step in ("powers", "meeting"))
    return meeting.median_us / powers.median_us - 1, powers.barriers, meeting.barriers


@finds("08.cached")
def cached() -> float:
    """The share of the best copy that two passes reach where a cache holds most of the rows in work."""
    return measure("passes", rows=4096, columns=32768, dtype="bfloat16", passes=(2,), copy=True).share(2)


@finds("10.peak")
def peak() -> float:
    (line,) = recorded("linear_loss", provider="course")
    return line.peak_mib / 2**10


@finds("11.arrives")
def arrives() -> float:
    """MiB that memory read for a head, of those asked for."""
    return sum(line.read_bytes for line in recorded("attention_dram", provider="attention")) / 2**20


@finds("11.lonely")
def lonely() -> float:
    """One program for each head of keys, beside one reading."""
    n = decode.LENGTHS[-1]
    return decode.speeds("course", 1, parts=1)[n] / decode.speeds("read", 1)[n]


@finds("11.halved")
def halved() -> float:
    """Heads of 64 beside heads of 128: as many operations, twice the scores."""
    return _us("attention", provider="course", n=16384, d=64) / _us("attention", provider="course", n=16384, d=128)


@finds("12.usual")
def usual() -> float:
    """What people write, on two GPUs, beside the course's softmax on one."""
    at = {"ranks": 2, "part": "shapes", "rows": 4096, "columns": 131072}
    return _us("sharded", **at, way="two all-reduces") / _us("sharded", **at, way="one GPU")


@finds("12.pays")
def pays() -> int:
    """From which width on two GPUs that stay in their kernel are faster than one."""
    widths, how = tuple(2**k for k in range(9, 18)), {"name": "sharded", "ranks": 2, "part": "widths"}
    one, inside = (measure(**how, way=way, columns=widths) for way in ("one GPU", "in-kernel"))
    return next(n for n in widths if inside[n] < one[n])


@finds("A2.graph")
def graph() -> float:
    """How many times as long the five calls of naive keep the host busy as they take out of a CUDA graph."""
    return measure("calls", what="naive", way="host")[()] / measure("calls", what="naive", way="graph")[()]


@finds("A2.empty")
def empty_launch() -> float:
    return measure("calls", what="empty kernel", way="host")[()]


@finds("A2.one_row")
def rows_of_a_kept_kernel() -> int:
    """Of 100 rows, those that a kernel compiled for 1 row gets right."""
    (run,) = recorded("kept_kernel", compiled_for=1)
    return run.right


@finds("A2.chain")
def chain() -> tuple[int, float]:
    """How often C is right where B does not wait, and when it reads."""
    (run,) = recorded("early_chain", waits="AC")
    return run.right, run.c_reads
