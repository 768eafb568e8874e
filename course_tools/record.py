"""Measures on this machine and writes CSV files beside those of the course: python -m course_tools.record NAME …

Several names: each is measured in a process of its own, so that none takes the others with it. NAME:SECONDS is a limit of its
own, after which no further case is begun.
"""

import argparse
import subprocess
import sys
from pathlib import Path

from course_utils.measurements import experiments
from course_utils.measurements.bench.experiment import experiment
from course_utils.measurements.bench.recording import FOLDER

GRACE = 60  # seconds, in which a case that was begun in time may end


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    asked = [
        (name, float(limit or options.limit)) for name, _, limit in (each.partition(":") for each in options.names)
    ]
    if len(asked) == 1:
        from course_utils.measurements.bench.recorder import record

        name, limit = asked[0]
        print(record(name, f"python -m course_tools.record {name}", options.folder, limit))
        return 0
    failed = [name for name, limit in asked if not _apart(name, limit, options)]
    if failed:
        print("failed:", *failed, file=sys.stderr)
    return len(failed)


def _apart(name: str, limit: float, options) -> bool:
    command = [sys.executable, "-m", "course_tools.record", f"{name}:{limit}", "--folder", str(options.folder)]
    try:
        done = subprocess.run(command, timeout=limit + GRACE)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m course_tools.record", description=__doc__)
    parser.add_argument("names", nargs="+", metavar="NAME", help=", ".join(recordable()))
    parser.add_argument("--folder", type=Path, default=FOLDER, help="写到哪里 · where to")
    parser.add_argument("--limit", type=float, default=1e6, help="每个实验多少秒 · seconds for each experiment")
    return parser


def recordable() -> list[str]:
    """Every experiment that can be measured; the others were recorded once and are read alone."""
    return [name for name in experiments() if hasattr(experiment(name), "measure")]


if __name__ == "__main__":
    sys.exit(main())
