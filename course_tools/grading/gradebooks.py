"""What other systems take: grades as CSV for Canvas and for Moodle, results as JSON for Gradescope.

A point for each exercise solved; what could not be judged is left empty, for a person to fill in.
"""

import csv
import json
from pathlib import Path

from .hand_back import no_formula
from .handed_in import exercises
from .judge import Result
from .report import Report
from .roster import IDENTITY, Roster


def write_canvas(report: Report, roster: Roster, path: Path) -> None:
    """Canvas: Grades → Import. The columns and the ID of each learner come from Canvas's own export, if that is the roster."""
    columns, numbers = IDENTITY["canvas"], sorted(report.results)
    possible = ["    Points Possible", *[""] * (len(columns) - 1), *[len(exercises(number)) for number in numbers]]
    _write(path, [[*columns, *map(_assignment, numbers)], possible, *_rows(report, roster, "canvas", "SIS Login ID")])


def write_moodle(report: Report, roster: Roster, path: Path) -> None:
    """Moodle: Grades → Import → CSV file, mapped from “Email address” or “ID number”. From 0 to the number of exercises."""
    columns, numbers = IDENTITY["moodle"], sorted(report.results)
    heads = [f"{_assignment(number)} (0–{len(exercises(number))})" for number in numbers]
    _write(path, [[*columns, *heads], *_rows(report, roster, "moodle", "ID number")])


def _assignment(number: str) -> str:
    return f"softmax {number}"


def _rows(report: Report, roster: Roster, kind: str, unknown: str):
    """Who, and how many of each notebook's exercises; where the roster is of another kind, the name goes under `unknown`."""
    troubled = {name for name, _ in report.trouble}
    for who in report.who:
        row = roster.row(who) if roster.kind == kind else None
        row = row or dict.fromkeys(IDENTITY[kind], "") | {IDENTITY[kind][0]: who, unknown: who}
        yield [
            *map(no_formula, row.values()),
            *[_points(report.results[number].get(who), who in troubled) for number in sorted(report.results)],
        ]


def _points(results: dict[str, Result] | None, troubled: bool) -> int | str:
    if results is None:
        return "" if troubled else 0
    if any(result.status == "unjudged" for result in results.values()):
        return ""
    return sum(result.status == "right" for result in results.values())


def _write(path: Path, rows) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)


def write_gradescope(report: Report, path: Path) -> None:
    """`results.json` of one submission: every exercise is a test of one point."""
    tests = [
        {
            "name": f"{number}.{name}",
            "score": int(result.status == "right"),
            "max_score": 1,
            "status": "passed" if result.status == "right" else "failed",
            "output": f"{result.text.zh}\n{result.text.en}",
            "output_format": "text",
            "visibility": "visible",
        }
        for number, _, name, result in report.each()
    ]
    trouble = [f"{why.zh}\n{why.en}" for _, why in report.trouble]
    # Without tests there must be a score of the whole.
    whole = {"tests": tests} if tests else {"score": 0}
    said = {"output": "\n".join(trouble), "output_format": "text"} if trouble else {}
    path.write_text(json.dumps(whole | said, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
