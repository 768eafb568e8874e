"""What the hardware counts while ever more programs do the same rows: `ncu` watches a process that launches one case after another."""

import csv
import io
import subprocess
import sys
from collections import defaultdict

from course_utils.timing.launches import COUNTED, COUNTED_SHAPE, COUNTED_WARPS, Counters

ASKED = (
    "--profile-from-start",
    "off",
    "--clock-control",
    "none",
    "--cache-control",
    "none",
    "--csv",
    "--print-units",
    "base",
)
NAMES = {
    "nanoseconds": "gpu__time_duration.sum",
    "dram_read_bytes": "dram__bytes_read.sum",
    "dram_written_bytes": "dram__bytes_write.sum",
    "l2_read_sectors": "lts__t_sectors_op_read.sum",
    "l2_read_hits": "lts__t_sectors_op_read_lookup_hit.sum",
}


def count_launches() -> list[Counters]:
    run = [sys.executable, "-c", f"from {__name__} import launch_all; launch_all()"]
    out = subprocess.run(["ncu", *ASKED, "--metrics", ",".join(NAMES.values()), *run], capture_output=True, text=True)
    launches: dict[str, dict] = defaultdict(dict)
    for row in csv.DictReader(io.StringIO(out.stdout[out.stdout.find('"ID"') :])):
        launches[row["ID"]][row["Metric Name"]] = int(float(row["Metric Value"].replace(",", "")))
    return [
        Counters(*case, **{column: launch[name] for column, name in NAMES.items()})
        for case, launch in zip(COUNTED, launches.values(), strict=True)
    ]


def launch_all() -> None:
    """What `ncu` watches: every case once, after a launch that compiles it and that nobody counts."""
    import torch

    from course_utils import hardware
    from course_utils.softmax import grid_stride_kernel

    n_rows, n_cols = COUNTED_SHAPE
    x = torch.randn(n_rows, n_cols, device="cuda")
    y = torch.empty_like(x)

    def launch(stages, programs):
        grid = (programs * hardware.here().multiprocessors,)
        sizes = n_cols, n_cols, n_rows, n_cols
        grid_stride_kernel[grid](y, x, *sizes, BLOCK_SIZE=n_cols, STAGES=stages, num_warps=COUNTED_WARPS)
        torch.cuda.synchronize()

    for case in COUNTED:
        launch(*case)
    torch.cuda.profiler.start()
    for case in COUNTED:
        launch(*case)
    torch.cuda.profiler.stop()
