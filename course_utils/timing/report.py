"""What `ncu` printed of a few kernels, section by section, for reading it together."""

import re

from .recorded import DEVICE, FOLDER


def read_report(case: str, device: str = DEVICE) -> dict[str, str]:
    """{section: its table, as printed} of one kernel; `case` is "row float32 8192" or the like: who, the type, how many columns."""
    who, dtype, columns = case.split()
    text = (FOLDER / f"{device}-ncu.txt").read_text(encoding="utf-8")
    kernels = dict(re.findall(r"(?ms)^## (\S+)\n(.*?)(?=^## |\Z)", text))
    (found,) = (kernel for name, kernel in kernels.items() if name.startswith(f"{who}:{dtype}:4096:{columns}:"))
    sections = re.findall(r"(?ms)^    Section: ([^\n]+)\n(.*?)\n\n", found + "\n\n")
    return {name: re.sub(r"(?m)^    ", "", table) for name, table in sections}


def busy(report: dict[str, str]) -> tuple[float, float, float]:
    """For how many per cent of the time the memory, the SMs' busiest unit and the SFU were busy."""
    light, extra = report["GPU Speed Of Light Throughput"], report["Command line profiler metrics"]
    return value(light, "DRAM Throughput"), value(light, "Compute (SM)"), value(extra, "sm__inst_executed_pipe_xu")


def value(table: str, metric: str) -> float:
    """The figure that stands behind this metric."""
    (line,) = (line for line in table.splitlines() if line.startswith(metric))
    return float(line.split()[-1].replace(",", ""))
