"""What the notebooks say of themselves, and everything that is derived from it: tables and durations.

A notebook's number is in its file's name, its title is its first heading, and its metadata holds its question and what it
needs: {"course": {"question": {"zh": …, "en": …}, "needs": […]}}. How long it takes is counted.
"""

import argparse
import math
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import nbformat

from course_utils.language import Text

COURSE = Path(__file__).resolve().parent.parent
NAMES = "[0-9A][0-9]_*.ipynb"
NUMBER = r"[0-9A][0-9]"  # of a notebook: 00, 01, …; appendices are A1, A2, …
NEEDS = {"compiler"}  # a triton that compiles for NVIDIA and AMD; triton-ascend does not
READ_A_MINUTE = 150  # English words: nobody reads this like a newspaper
MINUTES_A_CELL, MINUTES_AN_EXERCISE, MINUTES_A_LINE = 0.75, 3, 1  # to run and look at; to understand; to write


@dataclass(frozen=True)
class Entry:
    """A notebook of the course, in its own words."""

    path: Path
    notebook: nbformat.NotebookNode

    @property
    def number(self) -> str:
        return self.path.name[:2]

    @property
    def appendix(self) -> bool:
        """Whether it is beside the way: A1, A2, …"""
        return self.number.startswith("A")

    @cached_property
    def title(self) -> Text:
        heading = next(cell.source for cell in self.notebook.cells if cell.source.startswith("# "))
        return Text(*heading.removeprefix("# ").split(" · "))

    @property
    def question(self) -> Text:
        return Text(**self.notebook.metadata["course"]["question"])

    @property
    def needs(self) -> set[str]:
        return set(self.notebook.metadata["course"].get("needs", []))

    @cached_property
    def minutes(self) -> int:
        """To read and to run, without the exercises; in fives."""
        return _minutes(self.notebook.cells)

    @cached_property
    def exercises(self) -> int:
        return sum("exercise" in _tags(cell) for cell in self.notebook.cells)

    @cached_property
    def exercise_minutes(self) -> int:
        lines = [_answer_lines(cell.source) for cell in self.notebook.cells if "answer" in _tags(cell)]
        return _in_fives(sum(MINUTES_AN_EXERCISE + count * MINUTES_A_LINE for count in lines))

    @property
    def duration(self) -> Text:
        """One sentence, as the notebook's beginning has it."""
        if not self.exercises:
            return Text(f"大约 {self.minutes} 分钟。", f"About {self.minutes} minutes.")
        exercises = "exercise" if self.exercises == 1 else f"{self.exercises} exercises"
        zh, en = f"大约 {self.minutes} 分钟", f"About {self.minutes} minutes"
        return Text(
            f"{zh}，{self.exercises} 道练习另加 {self.exercise_minutes} 分钟。",
            f"{en}, and {self.exercise_minutes} more for the {exercises}.",
        )


def entries(course: Path = COURSE) -> list[Entry]:
    """The notebooks, appendices last."""
    found = [Entry(path, nbformat.read(path, as_version=4)) for path in (course / "notebooks").glob(NAMES)]
    return sorted(found, key=lambda entry: (entry.appendix, entry.path.name))


def readme_table(found: list[Entry], language: str) -> str:
    head, unit = {
        "zh": ("| | 笔记本 | 回答的问题 | 时间 | 练习 |", "分钟"),
        "en": ("| | Notebook | The question it answers | Time | Exercises |", "min"),
    }[language]
    rows = [head, "|---|---|---|---|---|"]
    for each in found:
        title, question = getattr(each.title, language), getattr(each.question, language)
        exercises = f"{each.exercises}\u00a0·\u00a0{each.exercise_minutes}\u00a0{unit}"
        rows.append(
            f"| {each.number} | [{title}](notebooks/{each.path.name}) | {question} | {each.minutes}\u00a0{unit} | {exercises} |"
        )
    return "\n".join(rows)


def notebook_table(found: list[Entry], language: str, here: str) -> str:
    """The table for a notebook, in one language; `here` is the notebook that shows it and needs no link to itself."""
    rows = [
        {"zh": "| | 这一本 | 回答的问题 |", "en": "| | The notebook | The question it answers |"}[language],
        "|---|---|---|",
    ]
    for each in found:
        title, question = getattr(each.title, language), getattr(each.question, language)
        shown = title if each.number == here else f"[{title}]({each.path.name})"
        rows.append(f"| {each.number} | {shown} | {question} |")
    return "\n".join(rows)


def _tags(cell) -> list[str]:
    return cell.metadata.get("tags", [])


def _words(text: str) -> int:
    plain = re.sub(r"<[^>]+>|`[^`]*`|\$[^$]*\$|\]\([^)]*\)", " ", text)
    return len(re.findall(r"[A-Za-z]{2,}", plain))


def _minutes(cells) -> int:
    words = sum(_words(cell.source) for cell in cells if "en" in _tags(cell))
    code = sum(cell.cell_type == "code" for cell in cells)
    return _in_fives(words / READ_A_MINUTE + code * MINUTES_A_CELL)


def _answer_lines(answer: str) -> int:
    code = re.search(r"```python\n(.*?)\n```", answer, flags=re.DOTALL)
    return sum(bool(line.strip()) for line in code[1].splitlines()) if code else 1


def _in_fives(minutes: float) -> int:
    return 5 * math.ceil(minutes / 5)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m course_tools.contents", description="The notebooks' paths.")
    parser.add_argument("--without", choices=sorted(NEEDS), help="those alone that need no such thing")
    without = parser.parse_args().without
    print(*(each.path.relative_to(COURSE) for each in entries() if without not in each.needs))


if __name__ == "__main__":
    main()
