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

ASKED = ("--profile-from-start", "off", "--clock-control", "none", "--csv", "--print-units", "base")
PROGRAMS = "launch__grid_size"
DRAM = {"read_bytes": "dram__bytes_read.sum", "written_bytes": "dram__bytes_write.sum"}
DRAM_CASES = tuple((who, "float32", 8192, 8192) for who in ("naive", "row", "grid stride", "softmax"))


@dataclass(frozen=True)
class Case:
    """A provider and the shape it is asked for."""

    provider: str
    dtype: str
    rows: int
    columns: int


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
    try:
        out = subprocess.run([ncu, *ASKED, "--metrics", metrics, *run], capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return []
    return parse(cases, counters, out.stdout)


def count_dram() -> list[dict]:
    """Bytes that really reached the memory: a line for every kernel that each provider launches."""
    return count([Case(*case) for case in DRAM_CASES], DRAM)


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
        lines.append({**asdict(case), "kernel": launch["kernel"], **counted})
    return lines


def run_watched(cases: list[str]) -> None:
    """What `ncu` watches: every case once, after a run that compiles it and that nobody counts."""
    import torch

    from .providers import providers

    known = {provider.name: provider for provider in providers()}
    mark = torch.zeros(1, device="cuda")
    next_case[(1,)](mark)
    for number, case in enumerate(cases, 1):
        name, dtype, rows, columns = case.split(":")
        x = torch.randn(int(rows), int(columns), device="cuda").to(getattr(torch, dtype))
        try:
            function = known[name].prepare(x)
            function(x)
        except Exception:  # absent here, or it refuses the shape
            continue
        torch.cuda.synchronize()
        torch.cuda.profiler.start()
        next_case[(number,)](mark)
        function(x)
        torch.cuda.synchronize()
        torch.cuda.profiler.stop()
        del function, x
