"""What the hardware counts while a kernel runs, asked of NVIDIA's `ncu`, which watches a process of its own."""

import csv
import io
import shutil
import subprocess
import sys
from dataclasses import asdict, astuple, dataclass

import torch

from ... import attention
from ...backend import tl, triton
from ...language import both
from ...softmax.steps import run_step
from .driver import driver
from .peers import prepared_for
from .stopwatch import inputs_for, leave_cache

UNCHANGED = ("--profile-from-start", "off", "--clock-control", "none")
PRINTED = ("--page", "raw", "--csv", "--print-units", "base")
PROGRAMS = "launch__grid_size"
DRAM = {"read_bytes": "dram__bytes_read.sum", "written_bytes": "dram__bytes_write.sum"}
NANOSECONDS = {"nanoseconds": "gpu__time_duration.sum"}
MARK = "next_case_kernel"  # announces a case, in as many programs as its number


@triton.jit
def next_case_kernel(out_ptr):
    tl.store(out_ptr, 0)


@dataclass(frozen=True)
class Case:
    """Who is asked for which shape, and the state in which they find the cache; empty, as `ncu` leaves it."""

    provider: str
    dtype: str
    rows: int
    columns: int
    state: str = ""


def count(cases: list[Case], counters: dict[str, str], seconds: float = 300) -> list[dict]:
    """A dictionary for every kernel of every case, with `counters` as {its key: name of the counter}."""
    ncu = shutil.which("ncu")
    if not ncu:
        raise RuntimeError(both("`ncu` 不在这里。", "There is no `ncu` here."))
    kept = ("--cache-control", "none") if any(case.state for case in cases) else ()
    metrics = ",".join({PROGRAMS, *counters.values()})
    named = [":".join(map(str, astuple(case))) for case in cases]
    command = [ncu, *UNCHANGED, *kept, *PRINTED, "--metrics", metrics, sys.executable, "-m", __name__, *named]
    text = subprocess.run(command, capture_output=True, text=True, timeout=seconds).stdout
    found = parse(cases, counters, text)
    if not found:
        raise RuntimeError(both("`ncu` 不许读计数器。", "`ncu` may not read the counters."))
    return found


def parse(cases: list[Case], counters: dict[str, str], text: str) -> list[dict]:
    """What `ncu` printed, as `count` gives it: a column for every counter, a row for every launch."""
    start, found, case = text.find('"ID"'), [], None
    for row in csv.DictReader(io.StringIO(text[start:] if start >= 0 else "")):
        if not row["ID"].strip():  # the units
            continue
        kernel = row["Kernel Name"].replace("\n", " ")[:80]
        if kernel == MARK:
            case = cases[_number(row[PROGRAMS]) - 1]
            continue
        counted = {key: _number(row[name]) for key, name in counters.items()}
        told = {column: value for column, value in asdict(case).items() if value != ""}
        found.append({**told, "kernel": kernel, **counted})
    return found


def _number(text: str) -> float:
    value = float(text.replace(",", ""))
    return int(value) if value.is_integer() else value


def run_watched(named: list[str]) -> None:
    """What `ncu` watches: every case once, after a run that compiles it and that nobody counts."""
    mark = torch.zeros(1, device="cuda")
    next_case_kernel[(1,)](mark)
    for number, case in enumerate(named, 1):
        name, dtype, rows, columns, state = case.split(":")
        x, *others = inputs_for(int(rows), int(columns), dtype, "cuda")
        try:
            function = _function(name, x)
            function(x)
        except Exception:  # absent here, or it refuses the shape
            continue
        driver("cuCtxResetPersistingL2Cache")  # what `evict_last` keeps, 256 MB of other reads do not drive out
        leave_cache(state, x)
        outputs = [function(other) for other in others] if state == "sustained" else []
        torch.cuda.synchronize()
        torch.cuda.profiler.start()
        next_case_kernel[(number,)](mark)
        function(x)
        torch.cuda.synchronize()
        torch.cuda.profiler.stop()
        del function, x, others, outputs


def _function(name: str, x):
    """A provider; "step …", one of 07's; or attention over one head, with queries like `x`."""
    whole = {"attention": attention.attention, "naive attention": attention.naive_attention}.get(name)
    if whole:
        qkv = torch.randn(3, 1, 1, *x.shape, dtype=x.dtype, device=x.device)
        return lambda x: whole(*qkv)
    if name.startswith("step "):
        return lambda x: run_step(x, name.removeprefix("step "))
    return prepared_for((name,))[name]


if __name__ == "__main__":
    run_watched(sys.argv[1:])
