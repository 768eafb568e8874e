"""What warps wait for: the reasons that the hardware counts, and the bytes that reach memory, of four kernels."""

from dataclasses import dataclass, replace

from ..table import Table
from .bench.experiment import recorded

DEVICE = "h100-80gb-hbm3"
ROWS, WIDTHS, DTYPES = 4096, (781, 4096, 12672, 4097, 256, 1024, 8192, 32768), ("float32", "bfloat16")
WHO = ("tile", "row", "softmax", "quack")
SECTIONS = ("WarpStateStats", "SchedulerStats", "LaunchStats", "Occupancy", "SpeedOfLight")
STALLED = r"smsp__average_warps_issue_stalled_(\w+)_per_issue_active\.ratio"
KEPT = {  # what a column is called here: what ncu calls it
    "warp latency": "smsp__average_warp_latency_per_inst_issued.ratio",
    "active warps": "sm__warps_active.avg.pct_of_peak_sustained_active",
    "issue slots": "smsp__issue_active.avg.pct_of_peak_sustained_active",
    "memory": "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
    "sm": "sm__throughput.avg.pct_of_peak_sustained_elapsed",
    "sfu": "sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active",
    "instructions": "smsp__inst_executed.sum",
    "load sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "load requests": "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "registers": "launch__registers_per_thread",
    "threads": "launch__block_size",
    "programs": "launch__grid_size",
    "occupancy limit, registers": "launch__occupancy_limit_registers",
    "occupancy limit, shared": "launch__occupancy_limit_shared_mem",
}
ASKED = ("sfu", "instructions", "load sectors", "load requests")  # besides the sections


LANES, WARPS = 32, 64  # of a warp; that an SM holds


@dataclass(frozen=True)
class Line:
    provider: str
    dtype: str
    rows: int
    columns: int
    kernel: str
    what: str  # "stall …": cycles between two instructions of a warp that pass so; bytes and nanoseconds as in `states`
    value: float


def cases():
    return [{"dtype": dtype, "provider": who} for who in WHO for dtype in DTYPES]


def measure(dtype, provider, widths=WIDTHS):
    """Twice: the reasons, for which a launch is repeated with an empty cache, and the bytes, sustained, in one pass."""
    from .bench.counters import DRAM, NANOSECONDS, Case, count, watch

    cases = [Case(provider, dtype, ROWS, columns) for columns in widths]
    sections = [part for section in SECTIONS for part in ("--section", section)]
    metrics = ",".join(KEPT[what] for what in ASKED)
    printed = ("--page", "raw", "--csv", "--print-units", "base")
    _, text = watch(cases, (*sections, "--metrics", metrics, *printed), seconds=240)
    for case, kernel, counted in of_each(cases, text):
        for what, value in counted.items():
            yield Line(case.provider, dtype, ROWS, case.columns, kernel, what, value)
    for counted in count([replace(case, state="sustained") for case in cases], DRAM | NANOSECONDS):
        for what in ("read_bytes", "written_bytes", "nanoseconds"):
            told = (counted[key] for key in ("provider", "dtype", "rows", "columns", "kernel"))
            yield Line(*told, what.replace("_", " "), counted[what])


def of_each(cases, text: str):
    """(case, kernel, {what: value}) of the table that ncu prints: a column for every metric, a row for every launch."""
    import csv
    import io
    import re

    from .bench.counters import MARK, PROGRAMS

    start, case = text.find('"ID"'), None
    for row in csv.DictReader(io.StringIO(text[start:] if start >= 0 else "")):
        if not row["ID"].strip():  # the units
            continue
        kernel = row["Kernel Name"].replace("\n", " ")[:80]
        if kernel == MARK:
            case = cases[int(_number(row[PROGRAMS])) - 1]
            continue
        found = {what: _number(row[name]) for what, name in KEPT.items() if row.get(name)}
        for name, value in row.items():
            if (stalled := re.fullmatch(STALLED, name or "")) and value:
                found[f"stall {stalled[1].replace('_', ' ')}"] = _number(value)
        yield case, kernel, found


def _number(text: str) -> float:
    return float(text.replace(",", ""))


# What a warp waits for, by what ncu calls it.
WORDS = {
    "long scoreboard": "显存的数据 · data from memory",
    "short scoreboard": "共享内存、SFU · shared memory, SFU",
    "barrier": "同伴 warp · other warps",
    "wait": "固定延迟 · a fixed latency",
    "not selected": "轮不到 · its turn",
    "selected": "正在发射 · nothing: it issues",
    "math pipe throttle": "计算单元 · an arithmetic unit",
    "mio throttle": "共享内存队列 · shared memory's queue",
    "lg throttle": "读写队列 · the load queue",
    "drain": "写完 · its stores to leave",
    "no instruction": "取指令 · instructions",
    "dispatch stall": "分派 · the dispatcher",
}


def counted(provider: str, columns: int, dtype: str, device: str = DEVICE) -> dict[str, float]:
    """{what: value} of one kernel."""
    lines = recorded("stalls", device, provider=provider, columns=columns, dtype=dtype)
    return {line.what: line.value for line in lines}


def reasons(provider: str, columns: int, dtype: str, device: str = DEVICE) -> dict[str, float]:
    """{what a warp waits for: share of its time}, the longest first."""
    found = counted(provider, columns, dtype, device).items()
    waits = {what.removeprefix("stall "): value for what, value in found if what.startswith("stall ")}
    total = sum(waits.values())
    return {why: each / total for why, each in sorted(waits.items(), key=lambda item: -item[1])}


def causes(provider: str, columns, dtype: str, device: str = DEVICE) -> Table:
    """What a kernel does for its bytes, how much of it an SM holds, and what its warps wait for longest."""
    table = Table(
        "N",
        "一次加载的扇区 · sectors a load",
        "每个元素的指令 · instructions an element",
        "每个 SM 的 program · programs an SM",
        "等得最久 · longest wait",
    )
    for n in columns:
        found = counted(provider, n, dtype, device)
        why, share = next(iter(reasons(provider, n, dtype, device).items()))
        table.add(
            n,
            f"{found['load sectors'] / found['load requests']:.1f}",
            f"{LANES * found['instructions'] / (ROWS * n):.0f}",
            f"{found['active warps'] / 100 * WARPS / (found['threads'] / LANES):.1f}",
            " · ".join(f"{words}, {share:.0%}" for words in WORDS.get(why, why).split(" · ")),
        )
    return table
