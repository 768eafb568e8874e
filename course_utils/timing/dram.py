"""Bytes that really reached the memory, counted by the hardware itself: NVIDIA's `ncu` reads its counters."""

import csv
import io
import shutil
import subprocess
import sys

ROWS, COLUMNS = 8192, 8192
WHO = ("naive", "row", "grid stride", "softmax")
METRICS = ("dram__bytes_read.sum", "dram__bytes_write.sum")


def count_dram() -> list[dict]:
    """A line for every kernel that each provider launches; none where there is no `ncu`, or it may not read the counters."""
    ncu = shutil.which("ncu")
    if not ncu:
        return []
    lines = []
    for who in WHO:
        run = [sys.executable, "-m", "course_utils.timing", "once", who]
        asked = [ncu, "--profile-from-start", "off", "--clock-control", "none", "--csv", "--print-units", "base"]
        out = subprocess.run(
            [*asked, "--metrics", ",".join(METRICS), *run], capture_output=True, text=True, timeout=300
        )
        lines += _parse(who, out.stdout)
    return lines


def _parse(who: str, text: str) -> list[dict]:
    start = text.find('"ID"')
    if start < 0:
        return []
    kernels: dict[str, dict] = {}
    for row in csv.DictReader(io.StringIO(text[start:])):
        line = kernels.setdefault(row["ID"], {"provider": who, "dtype": "float32", "rows": ROWS, "columns": COLUMNS})
        line["kernel"] = row["Kernel Name"].replace("\n", " ")[:80]
        key = "read_bytes" if row["Metric Name"] == METRICS[0] else "written_bytes"
        line[key] = int(float(row["Metric Value"].replace(",", "")))
    return list(kernels.values())


def once(who: str) -> None:
    """Runs a provider once with the counters on: what `ncu` is asked to watch."""
    import torch

    from .providers import providers

    x = torch.randn(ROWS, COLUMNS, device="cuda")
    function = next(provider for provider in providers() if provider.name == who).prepare(x)
    function(x)
    torch.cuda.synchronize()
    torch.cuda.profiler.start()
    function(x)
    torch.cuda.synchronize()
    torch.cuda.profiler.stop()
