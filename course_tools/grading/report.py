"""Who solved what: reads learners' notebooks in a folder, judges every exercise in a locked process, prints a table.

python -m course_tools.grading FOLDER
"""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from course_utils.exercises import engine
from course_utils.language import Text
from course_utils.table import aligned

from .handed_in import exercises, find, learners
from .judge import MARKS, Result, judge, require_lock
from .roster import Roster

NOTHING = Text("什么也没有交。", "Handed in nothing.")


@dataclass
class Report:
    """What was found: for each notebook of the course, a result for each learner and exercise."""

    results: dict[str, dict[str, dict[str, Result]]] = field(default_factory=dict)  # by number, learner, exercise
    trouble: list[tuple[str, Text]] = field(default_factory=list)  # what could not be read
    absent: list[str] = field(default_factory=list)  # of the roster
    seconds: float = 0
    memory_mb: int = 0

    @property
    def who(self) -> list[str]:
        read = {name for table in self.results.values() for name in table}
        return sorted(read | {name for name, _ in self.trouble} | set(self.absent))

    def each(self):
        """Every result: the notebook's number, the learner, the exercise's name, the result."""
        for number in sorted(self.results):
            for who, results in sorted(self.results[number].items()):
                yield from ((number, who, name, result) for name, result in results.items())

    def is_solved(self, exercise: str) -> bool:
        return any(f"{number}.{name}" == exercise and one.status == "right" for number, _, name, one in self.each())


def make(
    folder: Path,
    seconds: float = engine.SECONDS,
    memory_mb: int = engine.MEMORY_MB,
    roster: Roster | None = None,
    only: str | None = None,
) -> Report:
    """Judges everything in the folder, or `only` one exercise. `seconds` and `memory_mb` are what each exercise of each learner gets."""
    require_lock()
    notebooks = find(folder)
    names, report = learners(folder, notebooks), Report(seconds=seconds, memory_mb=memory_mb)
    roster = roster or Roster()
    known = {notebook.path: roster.listed(names[notebook.path]) for notebook in notebooks}
    for notebook in notebooks:
        if only and notebook.number != only.partition(".")[0]:
            continue
        if notebook.trouble:
            report.trouble.append((known[notebook.path], notebook.trouble))
            continue
        table = report.results.setdefault(notebook.number, {})
        who = known[notebook.path] if known[notebook.path] not in table else names[notebook.path]
        asked = [name for name in exercises(notebook.number) if only in (None, f"{notebook.number}.{name}")]
        table[who] = {name: judge(notebook, name, seconds, memory_mb) for name in asked}
    report.absent = [name for name in roster.names if name not in known.values()]
    return report


def text(report: Report, language: str = "both") -> str:
    """The report for a terminal."""
    lines = []
    for number in sorted(report.results):
        lines += [f"[{number}]", *aligned(_table(number, report)), ""]
    if lines:
        marks = {"right": "对", "wrong": "不对", "not yet": "还没写", "missing": "没有", "unjudged": "没能判断"}
        lines += [
            "   ".join(f"{MARKS[status]} {zh} {status}" for status, zh in marks.items()),
            f"每题至多 {report.seconds:g} 秒、{report.memory_mb} MB；学生的代码连不上网，也改不了任何文件。",
            f"At most {report.seconds:g} s and {report.memory_mb} MB each; learners' code reached no network and changed no file.",
            "",
        ]
    for who, why, program in _reasons(report):
        said = [why.zh, why.en] if language == "both" else [getattr(why, language)]
        lines += [who, *("    " + line for one in said for line in one.splitlines())]
        lines += ["    | " + line for line in program.splitlines()]
    return "\n".join(lines)


def _table(number: str, report: Report) -> list[list[str]]:
    asked, solved = exercises(number), Counter()
    table = [["学生 · learner", *asked, "✓"]]
    for who, results in sorted(report.results[number].items()):
        right = [name for name in asked if name in results and results[name].status == "right"]
        solved.update(right)
        marks = [MARKS[results[name].status] if name in results else "" for name in asked]
        table.append([who, *marks, f"{len(right)}/{len(asked)}"])
    others = [name for name in report.who if name not in report.results[number] and name in report.absent]
    table += [[name, *[MARKS["missing"]] * len(asked), f"0/{len(asked)}"] for name in others]
    return [*table, ["共 · solved", *[f"{solved[name]}/{len(table) - 1}" for name in asked], ""]]


def _reasons(report: Report):
    for number, who, name, result in report.each():
        if result.status in ("wrong", "unjudged"):
            yield f"{who} · {number}.{name}", result.text, result.program
    for who, why in report.trouble:
        yield who, why, ""
    for who in report.absent:
        yield who, NOTHING, ""
