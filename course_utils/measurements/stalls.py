"""What warps wait for: the reasons that the hardware counts while a kernel runs, the cache emptied before."""

from ..table import Table
from .bench import copy_us, every, line_of, recorded
from .bench.counters import Case, count
from .tiles import DTYPES, WIDTHS

ROWS = 4096
CASES = every(dtype=DTYPES, provider=("tile",)) + every(
    dtype=("bfloat16",), provider=("step pieces", "step peeled", "step powers")
)
WORST = 4097  # 07's worst cell, in bfloat16
LANES = 32  # of a warp
REASONS = (
    "barrier", "branch resolving", "dispatch stall", "drain", "gmma", "imc miss", "lg throttle", "long scoreboard",
    "math pipe throttle", "membar", "mio throttle", "misc", "no instruction", "not selected", "selected", "short scoreboard",
    "sleeping", "tex throttle", "wait",
)  # fmt: skip
WORK = ("一次加载的扇区 · sectors a load", "每个元素的指令 · instructions an element")
# of the longest waits
WORDS = {"long scoreboard": "显存的数据 · data from memory", "wait": "固定延迟 · a fixed latency"}
STALLED = "smsp__average_warps_issue_stalled_{}_per_issue_active.ratio"
COUNTERS = {  # what is counted: what ncu calls it
    "issue slots": "smsp__issue_active.avg.pct_of_peak_sustained_active",
    "sfu": "sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active",
    "instructions": "smsp__inst_executed.sum",
    "load sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "load requests": "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
} | {f"stall {reason}": STALLED.format(reason.replace(" ", "_")) for reason in REASONS}
OF_STEPS = ("instructions", "load sectors", "load requests")
# what: "stall …" are cycles between two instructions of a warp that pass so
Line = line_of(provider=str, dtype=str, rows=int, columns=int, kernel=str, what=str, value=float)


def measure(dtype, provider):
    """Of a step of 07 only the instructions and the loads."""
    widths, asked = (WIDTHS, COUNTERS) if provider == "tile" else ((WORST,), OF_STEPS)
    cases = [Case(provider, dtype, ROWS, columns) for columns in widths]
    for found in count(cases, {what: COUNTERS[what] for what in asked}):
        for what in asked:
            yield Line(provider, dtype, ROWS, found["columns"], found["kernel"], what, found[what])


def counted(provider: str, columns: int, dtype: str) -> dict[str, float]:
    """{what: value} of one kernel."""
    return {line.what: line.value for line in recorded("stalls", provider=provider, columns=columns, dtype=dtype)}


def causes(provider: str, columns, dtype: str) -> Table:
    """What a kernel does for its bytes, and what its warps wait for longest."""
    table = Table("N", *WORK, "等得最久 · longest wait")
    for n in columns:
        found = counted(provider, n, dtype)
        waits = {reason: found[f"stall {reason}"] for reason in REASONS}
        longest = max(waits, key=waits.get)
        share = waits[longest] / sum(waits.values())
        words = WORDS.get(longest, longest).split(" · ")
        table.add(n, *_work(found, n), " · ".join(f"{each}, {share:.0%}" for each in words))
    return table


def worst_cell(*steps: str) -> Table:
    """After each step of 07: the share of the best copy, sustained, and the same work."""
    table = Table("kernel", "复制的用时 ÷ 它的 · copy's time ÷ its own", *WORK)
    for step in steps:
        found = counted(step if step == "tile" else f"step {step}", WORST, "bfloat16")
        table.add(step, f"{_share(step):.2f}", *_work(found, WORST))
    return table


def _share(step: str) -> float:
    """Of the best copy's speed, by a step as it is launched for the worst cell."""
    warps, hint = 8 if step == "tile" else 4, "evict_first" if step == "powers" else ""
    at = {"state": "sustained", "rows": ROWS, "columns": WORST, "dtype": "bfloat16"}
    (line,) = recorded("single_change", **at, step=step, together=1, warps=warps, hint=hint)
    return copy_us("single_change", line) / line.median_us


def _work(found: dict[str, float], columns: int) -> tuple[str, str]:
    sectors = found["load sectors"] / found["load requests"]
    return f"{sectors:.1f}", f"{LANES * found['instructions'] / (ROWS * columns):.0f}"
