"""What `ncu` prints of a few kernels, line by line, for reading it together."""

import re
from dataclasses import dataclass

from .bench.experiment import Note, recorded
from .bench.recording import DEVICE

CASES = (("row", "float32", 8192), ("row", "bfloat16", 8576), ("softmax", "bfloat16", 8576))
SECTIONS = ("SpeedOfLight", "LaunchStats", "Occupancy")
METRICS = (
    "sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active",
    "dram__bytes_read.sum",
    "dram__bytes_write.sum",
)


@dataclass(frozen=True)
class Line:
    provider: str
    dtype: str
    columns: int
    section: str
    text: str  # as printed, but for the indentation


def cases():
    return [dict(zip(("provider", "dtype", "columns"), case, strict=True)) for case in CASES]


def measure(provider, dtype, columns):
    from .bench.counters import MARK, Case, watch

    asked = [part for section in SECTIONS for part in ("--section", section)]
    command, out = watch([Case(provider, dtype, 4096, columns, "sustained")], (*asked, "--metrics", ",".join(METRICS)))
    kernels = re.split(r"(?m)^(?=  \S.*Context \d)", out)[1:]
    (kernel,) = (each for each in kernels if MARK not in each.splitlines()[0])
    yield Note(f"ncu, {provider}, {dtype}, {columns}", " ".join(["ncu", *command[1 : command.index("-m") - 1]]))
    for section, table in sections_of(kernel).items():
        for text in table.splitlines():
            yield Line(provider, dtype, columns, section, text)


def sections_of(kernel: str) -> dict[str, str]:
    """{section: its table} of one kernel as printed."""
    sections = re.findall(r"(?ms)^    Section: ([^\n]+)\n(.*?)\n\n", kernel.rstrip() + "\n\n")
    return {name: re.sub(r"(?m)^    ", "", table) for name, table in sections}


def read_report(case: str, device: str = DEVICE) -> dict[str, str]:
    """{section: its table, as printed} of one kernel; `case` is "row float32 8192" or the like: who, the type, how many columns."""
    who, dtype, columns = case.split()
    found: dict[str, list[str]] = {}
    for line in recorded("report", device, provider=who, dtype=dtype, columns=int(columns)):
        found.setdefault(line.section, []).append(line.text)
    if not found:
        raise LookupError(case)
    return {section: "\n".join(texts) for section, texts in found.items()}


def busy(report: dict[str, str]) -> tuple[float, float, float]:
    """For how many per cent of the time the memory, the SMs' busiest unit and the SFU were busy."""
    light, extra = report["GPU Speed Of Light Throughput"], report["Command line profiler metrics"]
    return value(light, "DRAM Throughput"), value(light, "Compute (SM)"), value(extra, "sm__inst_executed_pipe_xu")


def value(table: str, metric: str) -> float:
    """The figure that stands behind this metric."""
    (line,) = (line for line in table.splitlines() if line.startswith(metric))
    return float(line.split()[-1].replace(",", ""))
