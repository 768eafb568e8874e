"""What a GPU's own counters say of the traffic: bytes that each kernel of a softmax read from DRAM and wrote to it.

python -m course_utils.traffic_recorded > course_utils/recorded/traffic_h200.csv    (wants a GPU, and NVIDIA's `ncu`)
"""

import csv
import io
import subprocess
import sys
from dataclasses import astuple, dataclass, fields

from .occupancy_recorded import RECORDED
from .occupancy_recorded import _provenance as provenance

ROWS, COLUMNS = 8192, 16384  # 512 MiB of float32, ten times what the H200's L2 cache holds
OPERATIONS = ("max", "sub", "exp", "sum", "div", "fused")  # in the order in which `work` launches them
METRICS = ("dram__bytes_read.sum", "dram__bytes_write.sum")


@dataclass(frozen=True)
class Counted:
    """One kernel, and the bytes that the counters of the memory controllers saw go by."""

    operation: str
    n_rows: int
    n_cols: int
    read: int
    written: int


def recorded(device: str = "h200") -> list[Counted]:
    """The counts recorded on this device; the first lines of the file say when, where and with what.

    Writes come out some percent low: the last of them are still in the L2 cache when a kernel ends and counting stops.
    """
    with open(RECORDED / f"traffic_{device}.csv", encoding="utf-8", newline="") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return [Counted(**{field.name: field.type(row[field.name]) for field in fields(Counted)}) for row in rows]


def work() -> None:
    """The naive softmax and a fused one, each once; what goes before is not counted."""
    import torch

    from .softmax import naive_softmax, row_softmax

    x = torch.randn(ROWS, COLUMNS, device="cuda")
    for softmax in (naive_softmax, row_softmax):
        softmax(x)
    torch.cuda.synchronize()
    torch.cuda.profiler.start()
    for softmax in (naive_softmax, row_softmax):
        softmax(x)
    torch.cuda.synchronize()
    torch.cuda.profiler.stop()


def measure() -> list[Counted]:
    """Runs `work` under ncu, which replays each kernel by itself with an empty cache."""
    profiler = ["ncu", "--csv", "--print-units", "base", "--clock-control", "none", "--profile-from-start", "off"]
    job = [sys.executable, "-m", __spec__.name, "work"]
    run = subprocess.run([*profiler, "--metrics", ",".join(METRICS), *job], capture_output=True, text=True)
    table = run.stdout[max(run.stdout.find('"ID"'), 0) :]
    counts: dict[str, dict[str, int]] = {}
    for row in csv.DictReader(io.StringIO(table)):
        value = float(row["Metric Value"].replace(",", ""))
        counts.setdefault(row["ID"], {})[row["Metric Name"]] = round(value)
    if len(counts) != len(OPERATIONS):
        raise RuntimeError(f"ncu saw {len(counts)} kernels, not {len(OPERATIONS)}:\n{run.stdout}\n{run.stderr}")
    return [
        Counted(name, ROWS, COLUMNS, *(found[metric] for metric in METRICS))
        for name, found in zip(OPERATIONS, counts.values(), strict=True)
    ]


if __name__ == "__main__":
    if sys.argv[1:] == ["work"]:
        work()
    else:
        measured = measure()
        for name, value in (provenance() | {"command": "python -m course_utils.traffic_recorded"}).items():
            print(f"# {name}: {value}")
        table = csv.writer(sys.stdout, lineterminator="\n")
        table.writerow(field.name for field in fields(Counted))
        table.writerows(map(astuple, measured))
