"""What the hardware itself counts: NVIDIA's `ncu` watches a process that runs one case after another.

Before each case that process launches `next_case`, with as many programs as the case's number is high, so that the kernels
in what `ncu` prints can be told apart.
"""

import csv
import io
import shutil
import subprocess
import sys
from dataclasses import asdict, astuple, dataclass

from course_utils.backend import tl, triton
from course_utils.timing.stopwatch import STATES

ASKED = ("--profile-from-start", "off", "--clock-control", "none", "--csv", "--print-units", "base")
PROGRAMS = "launch__grid_size"
DRAM = {"read_bytes": "dram__bytes_read.sum", "written_bytes": "dram__bytes_write.sum"}
# What fits the cache with its output, what fits it without, and what does not.
STATE_SHAPES = (("bfloat16", 4096, 512), ("bfloat16", 4096, 2048), ("float32", 4096, 1024), ("float32", 4096, 4096))
STATE_WHO = ("copy", "liger", "quack", "row", "softmax")
# A pass over a row is free for the memory where all resident rows fit the cache: 64 Mi elements, in longer and longer rows.
PASSES_CASES = tuple(
    (who, "float32", (1 << 26) // n, n)
    for n in (4096, 8192, 16384, 65536, 131072)
    for who in ("three passes", "online", "softmax")
)
LIMITS_CASES = tuple(
    (who, dtype, 4096, n)
    for dtype in ("float32", "bfloat16")
    for n in (2048, 8192)
    for who in ("copy", "row", "online", "softmax")
)
LIMITS = {
    "instructions": "sm__inst_executed.sum",
    "special": "sm__inst_executed_pipe_xu.sum",  # exponentials, reciprocals, conversions
    "issue_percent": "sm__inst_issued.avg.pct_of_peak_sustained_active",
    "dram_percent": "dram__throughput.avg.pct_of_peak_sustained_elapsed",
}
# An input that fits the cache alone, but not together with its output; the steps differ in their hint, and in nothing else.
HINTS_CASES = tuple(
    (step, dtype, 4096, n, state)
    for dtype, n in (("float32", 2048), ("bfloat16", 4096))
    for state in ("hot", "sustained")
    for step in ("wide", "hints", "fitted")
)
# The five calls, each by itself; and attention over one head of so many tokens and so wide.
NAIVE_CASE = ("naive", "float32", 4096, 8192, "sustained")
ATTENTION_CASES = tuple((who, "bfloat16", 16384, 128) for who in ("attention", "naive attention"))
NANOSECONDS = {"nanoseconds": "gpu__time_duration.sum"}
DRAM_CASES = tuple((who, "float32", 8192, 8192) for who in ("naive", "row", "grid stride", "softmax"))


@dataclass(frozen=True)
class Case:
    """A provider (or a step on the way to `softmax`), the shape it is asked for, and the state in which it finds the cache; empty, as `ncu` leaves it."""

    provider: str
    dtype: str
    rows: int
    columns: int
    state: str = ""


@triton.jit
def next_case(out_ptr):
    tl.store(out_ptr, 0)


def count(cases: list[Case], counters: dict[str, str], seconds: float = 300) -> list[dict]:
    """A line for every kernel of every case, with `counters` as {column of the line: name of the counter}.

    No lines where there is no `ncu`, or where it may not read the counters.
    """
    ncu = shutil.which("ncu")
    if not ncu:
        return []
    run = [sys.executable, "-m", "course_tools.recording", "watched", *(":".join(map(str, astuple(c))) for c in cases)]
    metrics = ",".join({PROGRAMS, *counters.values()})
    asked = [*ASKED, *(["--cache-control", "none"] if any(case.state for case in cases) else [])]
    try:
        out = subprocess.run([ncu, *asked, "--metrics", metrics, *run], capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return []
    return parse(cases, counters, out.stdout)


def count_dram() -> list[dict]:
    """Bytes that really reached the memory: a line for every kernel that each provider launches."""
    return count([Case(*case) for case in DRAM_CASES], DRAM)


def count_passes() -> list[dict]:
    """What reaches the memory of rows that are read three times, twice and once."""
    return count([Case(*case) for case in PASSES_CASES], DRAM)


def count_limits() -> list[dict]:
    """How busy what could be the limit is: a line for every kernel, watched where each pays for its own bytes."""
    cases = [Case(*case, "sustained") for case in LIMITS_CASES]
    counted = count(cases, NANOSECONDS)
    return [{**a, **b} for a, b in zip(counted, count(cases, LIMITS), strict=True)] if counted else []


def count_states() -> list[dict]:
    """What one kernel moves in each state of the cache, and how long it takes by the GPU's own clock."""
    cases = [Case(who, *shape, state) for shape in STATE_SHAPES for who in STATE_WHO for state in STATES]
    return count(cases, DRAM | NANOSECONDS)


def count_hints() -> list[dict]:
    """What a hint to the cache changes of the bytes that reach the memory."""
    return count([Case(*case) for case in HINTS_CASES], DRAM)


def count_naive() -> list[dict]:
    """How long each kernel of the five calls takes, and what it moves."""
    return count([Case(*NAIVE_CASE)], DRAM | NANOSECONDS)


def count_attention() -> list[dict]:
    """What attention moves with all scores written, and what tile by tile."""
    return count([Case(*case) for case in ATTENTION_CASES], DRAM)


def parse(cases: list[Case], counters: dict[str, str], text: str) -> list[dict]:
    """The lines of what `ncu` printed."""
    start = text.find('"ID"')
    launches: dict[str, dict] = {}
    for row in csv.DictReader(io.StringIO(text[start:] if start >= 0 else "")):
        launch = launches.setdefault(row["ID"], {"kernel": row["Kernel Name"].replace("\n", " ")[:80]})
        launch[row["Metric Name"]] = int(float(row["Metric Value"].replace(",", "")))
    lines, case = [], None
    for launch in launches.values():
        if launch["kernel"] == next_case.__name__:
            case = cases[launch[PROGRAMS] - 1]
            continue
        counted = {column: launch[name] for column, name in counters.items()}
        told = {column: value for column, value in asdict(case).items() if value != ""}
        lines.append({**told, "kernel": launch["kernel"], **counted})
    return lines


def run_watched(cases: list[str]) -> None:
    """What `ncu` watches: every case once, after a run that compiles it and that nobody counts."""
    import torch

    from course_utils.timing.stopwatch import inputs_for, leave_cache

    from .attention import of_one_head
    from .ladder import step_function
    from .occupancy import driver
    from .providers import providers

    known = {provider.name: provider.prepare for provider in providers()} | of_one_head()
    mark = torch.zeros(1, device="cuda")
    next_case[(1,)](mark)
    for number, case in enumerate(cases, 1):
        name, dtype, rows, columns, state = case.split(":")
        x, *others = inputs_for(int(rows), int(columns), getattr(torch, dtype), "cuda")
        try:
            function = known[name](x) if name in known else step_function(name, x)
            function(x)
        except Exception:  # absent here, or it refuses the shape
            continue
        driver("cuCtxResetPersistingL2Cache")  # what `evict_last` keeps, 256 MB of other reads do not drive out
        outputs = leave_cache(state, function, x, others)
        torch.cuda.synchronize()
        torch.cuda.profiler.start()
        next_case[(number,)](mark)
        function(x)
        torch.cuda.synchronize()
        torch.cuda.profiler.stop()
        del function, x, others, outputs
