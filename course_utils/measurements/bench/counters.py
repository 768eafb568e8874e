"""What the hardware counts while a kernel runs, asked of NVIDIA's `ncu`, which watches a process of its own."""

import csv
import io
import shutil
import subprocess
import sys
from dataclasses import asdict, astuple, dataclass

from ...language import both

UNCHANGED = ("--profile-from-start", "off", "--clock-control", "none")
PRINTED = ("--csv", "--print-units", "base")
PROGRAMS = "launch__grid_size"
DRAM = {"read_bytes": "dram__bytes_read.sum", "written_bytes": "dram__bytes_write.sum"}
NANOSECONDS = {"nanoseconds": "gpu__time_duration.sum"}
MARK = "next_case_kernel"  # announces a case, in as many programs as its number


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
    metrics = ",".join({PROGRAMS, *counters.values()})
    found = parse(cases, counters, watch(cases, (*PRINTED, "--metrics", metrics), seconds)[1])
    if not found:
        raise RuntimeError(both("`ncu` 不许读计数器。", "`ncu` may not read the counters."))
    return found


def watch(cases: list[Case], asked: tuple[str, ...], seconds: float = 300) -> tuple[list[str], str]:
    """The command line of `ncu`, and what it prints of the cases."""
    ncu = shutil.which("ncu")
    if not ncu:
        raise RuntimeError(both("`ncu` 不在这里。", "There is no `ncu` here."))
    kept = ("--cache-control", "none") if any(case.state for case in cases) else ()
    named = [":".join(map(str, astuple(case))) for case in cases]
    command = [ncu, *UNCHANGED, *kept, *asked, sys.executable, "-m", __name__, *named]
    return command, subprocess.run(command, capture_output=True, text=True, timeout=seconds).stdout


def parse(cases: list[Case], counters: dict[str, str], text: str) -> list[dict]:
    """What `ncu` printed, as `count` gives it."""
    start = text.find('"ID"')
    launches: dict[str, dict] = {}
    for row in csv.DictReader(io.StringIO(text[start:] if start >= 0 else "")):
        launch = launches.setdefault(row["ID"], {"kernel": row["Kernel Name"].replace("\n", " ")[:80]})
        value = float(row["Metric Value"].replace(",", ""))
        launch[row["Metric Name"]] = int(value) if value.is_integer() else value
    found, case = [], None
    for launch in launches.values():
        if launch["kernel"] == MARK:
            case = cases[launch[PROGRAMS] - 1]
            continue
        counted = {key: launch[name] for key, name in counters.items()}
        told = {column: value for column, value in asdict(case).items() if value != ""}
        found.append({**told, "kernel": launch["kernel"], **counted})
    return found


def run_watched(named: list[str]) -> None:
    """What `ncu` watches: every case once, after a run that compiles it and that nobody counts."""
    import torch

    from .driver import driver
    from .kernels import next_case_kernel
    from .stopwatch import inputs_for, leave_cache

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
    import torch

    from ... import attention
    from ...softmax.steps import run_step
    from .peers import prepared_for

    whole = {"attention": attention.attention, "naive attention": attention.naive_attention}.get(name)
    if whole:
        qkv = torch.randn(3, 1, 1, *x.shape, dtype=x.dtype, device=x.device)
        return lambda x: whole(*qkv)
    if name.startswith("step "):
        return lambda x: run_step(x, name.removeprefix("step "))
    return prepared_for(x, (name,))[name]


if __name__ == "__main__":
    run_watched(sys.argv[1:])
