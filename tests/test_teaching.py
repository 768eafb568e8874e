"""The teacher's guide speaks of notebooks, exercises and messages that exist."""

import argparse
import re

from course import NOTEBOOKS, ROOT, code_cells, read

from course_tools.grading.__main__ import main as report
from course_tools.handout.__main__ import _parser

GUIDE = (ROOT / "TEACHING.md").read_text()
NUMBERS = {path.stem[:2]: read(path) for path in NOTEBOOKS}


def section(heading: str) -> str:
    return re.search(rf"^##+ [^\n]*{heading}\n(.*?)(?=^##|\Z)", GUIDE, re.S | re.M)[1]


def table_rows(text: str) -> list[list[str]]:
    lines = [line for line in text.splitlines() if line.startswith("|")]
    rows = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]
    return [row for row in rows if not set("".join(row)) <= set("-| ")][1:]


def test_messages_are_the_checks_own_words():
    folder = ROOT / "course_utils" / "exercises"
    said = "\n".join(file.read_text() for file in [*folder.glob("*.py"), *folder.glob("*/*.txt")])
    rows = table_rows(section("Common mistakes"))
    assert len(rows) >= 10
    for _, message, _ in rows:
        assert all(part in said for part in message.split(" · ")), f"no check says: {message}"


def test_exercises_and_questions_exist():
    asked = {re.search(r'\("(.*?)"\)', cell.source)[1] for notebook in NUMBERS.values() for cell in code_cells(notebook)
             if cell.source.startswith(("check(", "predict("))}  # fmt: skip
    named = re.findall(r"`([\dA]\d)\.(\w+)`", GUIDE)
    assert len(named) > 15
    for number, name in named:
        assert number not in NUMBERS or f"{number}.{name}" in asked, f"{number}.{name}"


def test_sections_exist():
    for number, names in re.findall(r"\| ([\dA]\d) \(([A-Z][^)]*)\)", GUIDE.replace("· 0", "| 0")):
        if number in NUMBERS:
            headings = "\n".join(cell.source for cell in NUMBERS[number].cells if cell.source.startswith("#"))
            for name in names.split(", "):
                assert f"· {name}" in headings, f"{number}: {name}"
    assert [row[0] for row in table_rows(section("What each lesson is for"))] == list(NUMBERS)


def test_right_answers_are_the_notebooks_own():
    told = {re.search(r'"(.*?)"', cell.source)[1]: cell.outputs[0]["data"]["text/plain"]
            for notebook in NUMBERS.values() for cell in code_cells(notebook) if cell.source.startswith("predict(")}  # fmt: skip
    rows = table_rows(section("What to ask"))
    assert len(rows) >= 20
    for key, _, _, right in rows:
        assert f"→ {right[0]}: " in told[key.strip("`")], key


def test_a_day_has_time_for_its_texts():
    rows = [row for day in ("A day", "A second day: from the limit to many GPUs") for row in table_rows(section(day))]
    texts = [row for row in rows if len(row) == 3 and row[2].startswith("正文")]
    assert [number for _, number, _ in texts] == [number for number in NUMBERS if number.isdigit()]
    for slot, number, _ in texts:
        begin, end = (60 * int(at[0]) + int(at[1]) for at in re.findall(r"(\d+):(\d+)", slot))
        needed = re.search(r"About (\d+) minutes", "".join(cell.source for cell in NUMBERS[number].cells))[1]
        assert end - begin >= int(needed), f"{number} needs {needed} minutes"


def test_the_homework_of_a_term_is_asked_in_class_by_then():
    seen = set()
    for _, lesson, homework in table_rows(section("A term of 12 weeks"))[:12]:
        seen |= set(re.findall(r"\b[01]\d\b", lesson))
        assert set(re.findall(r"`(\d\d)\.", homework)) <= seen, homework
    assert len(seen) == 13


def test_commands_are_those_that_exist(capsys):
    parser = _parser()
    known = {option for action in parser._actions for option in action.option_strings}
    lines = re.findall(r"python -m course_tools\.handout ([^`\n]*)", GUIDE)
    assert len(lines) >= 4
    for line in lines:
        assert set(re.findall(r"--[a-z-]+", line)) <= known, line
        options = parser.parse_args(line.split())
        assert isinstance(options, argparse.Namespace)
    assert "course_tools.grading FOLDER" in GUIDE
    assert report([str(ROOT / "no such folder")]) == 2
    assert "no folder" in capsys.readouterr().err
