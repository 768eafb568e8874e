"""What `ncu` prints of a few kernels, kept as the text that a reader would see."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

from course_utils.language import both

from .counters import next_case
from .provenance import provenance, short_name

CASES = (
    "row:float32:4096:8192:sustained",
    "row:bfloat16:4096:8576:sustained",
    "softmax:bfloat16:4096:8576:sustained",
)
SECTIONS = ("SpeedOfLight", "LaunchStats", "Occupancy")
METRICS = (
    "sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active",
    "dram__bytes_read.sum",
    "dram__bytes_write.sum",
)
ASKED = ("--profile-from-start", "off", "--clock-control", "none", "--cache-control", "none")


def command() -> list[str]:
    """What is run, as a reader would type it."""
    sections = [part for section in SECTIONS for part in ("--section", section)]
    run = ["python", "-m", "course_tools.recording", "watched", *CASES]
    return ["ncu", *ASKED, *sections, "--metrics", ",".join(METRICS), *run]


def record_report(folder) -> list[Path]:
    """One text: a header as of every recording, then each kernel as `ncu` prints it."""
    ncu = shutil.which("ncu")
    if not ncu:
        raise SystemExit(both("`ncu` 不在这里。", "There is no `ncu` here."))
    asked = [{"ncu": ncu, "python": sys.executable}.get(part, part) for part in command()]
    out = subprocess.run(asked, capture_output=True, text=True, timeout=500).stdout
    told = provenance("python -m course_tools.recording report") | {"ncu": " ".join(command())}
    path = Path(folder) / f"{short_name(told)}-ncu.txt"
    head = [f"# {key}: {value}" for key, value in told.items()]
    path.write_text("\n".join([*head, "", *_kernels(out)]) + "\n", encoding="utf-8")
    return [path]


def _kernels(text: str) -> list[str]:
    """The kernels that were asked for, each behind its case; without what marks where one case begins."""
    parts = re.split(r"(?m)^(?=  \S.*Context \d)", text)[1:]
    wanted = [part.rstrip() for part in parts if next_case.__name__ not in part.splitlines()[0]]
    return [f"## {case}\n{part}\n" for case, part in zip(CASES, wanted, strict=True)]
