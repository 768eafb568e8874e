"""What the compiler makes of clusters: the same kernel for an H200 that is not there, in this Triton.

Versions differ, so a recording holds several: lines of another Triton stay when this one's are written.
"""

import datetime
import platform
import re

from course_utils.compiler import Pointer, compile_for
from course_utils.softmax import row_kernel
from course_utils.timing.recorded import load, write
from course_utils.worker.errors import WorkerError

from .providers import version

DEVICE, COLUMNS, WARPS = "H200", 65536, 16
SIZES = (1, 2, 4, 8)


def compiled(size: int) -> dict:
    """One line: the row kernel of notebook 03 with so many programs in a cluster."""
    line = {"triton": version("triton"), "columns": COLUMNS, "num_warps": WARPS, "num_ctas": size}
    pointer, width = Pointer("float32"), (COLUMNS,) * 3
    try:
        found = compile_for(row_kernel, DEVICE, pointer, pointer, *width, BLOCK_SIZE=COLUMNS, num_warps=WARPS, num_ctas=size)  # fmt: skip
    except WorkerError as error:
        return line | {"loads": "", "spills": "", "maps": "", "barriers": "", "said": str(error).rpartition(": ")[2]}
    ptx = found.text("ptx")
    return line | {
        "loads": len(re.findall(r"ld\.global", ptx)),
        "spills": found.spills,
        "maps": ptx.count("mapa"),
        "barriers": ptx.count("barrier.cluster"),
        "said": "",
    }


def record(folder) -> list:
    return record_this_triton("clusters", map(compiled, SIZES), folder)


def record_this_triton(what: str, found, folder) -> list:
    """Adds this Triton's lines to the file, in place of its older ones."""
    told = {
        "device": "NVIDIA H200",
        "driver": "none: compiled with no GPU",
        "python": platform.python_version(),
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d"),
        "command": f"python -m course_tools.recording {what}",
    }
    path = folder / f"h200-{what}.csv"
    kept = [line for line in load(path).lines if line["triton"] != version("triton")] if path.exists() else []
    lines = [*kept, *found]
    lines.sort(key=lambda line: tuple(map(int, line["triton"].split("."))))
    return [write(what, "h200", told, lines, folder)]
