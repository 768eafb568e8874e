"""The teacher's guide and the other documents speak of notebooks, exercises, messages and commands that exist."""

import importlib.util
import re

import pytest
from course import NOTEBOOKS, ROOT, code_cells, read

from course_tools import support
from course_tools.handout.__main__ import _parser
from course_tools.support import backends

GUIDE = (ROOT / "TEACHING.md").read_text()
MAKEFILE = (ROOT / "Makefile").read_text()
NUMBERS = {path.stem[:2]: read(path) for path in NOTEBOOKS}
BACKENDS = {each.mode: each for each in backends()}


def section(heading: str) -> str:
    return re.search(rf"^##+ [^\n]*{heading}\n(.*?)(?=^##|\Z)", GUIDE, re.S | re.M)[1]


def table_rows(text: str) -> list[list[str]]:
    lines = [line for line in text.splitlines() if line.startswith("|")]
    rows = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]
    return [row for row in rows if not set("".join(row)) <= set("-| ")][1:]


def asked(start: str) -> dict:
    """What each cell that starts so names, with what it shows."""
    cells = [cell for notebook in NUMBERS.values() for cell in code_cells(notebook) if cell.source.startswith(start)]
    return {re.search(r'"(.*?)"', cell.source)[1]: cell.outputs[0]["data"]["text/plain"] for cell in cells}


# ---- the teacher's guide


def test_messages_are_the_checks_own_words():
    folder = ROOT / "course_utils" / "exercises"
    said = "\n".join(file.read_text() for file in [*folder.glob("*.py"), *folder.glob("*/*.txt")])
    rows = table_rows(section("Common mistakes"))
    assert len(rows) >= 10
    for _, message, _ in rows:
        assert all(part in said for part in message.split(" · ")), f"no check says: {message}"


def test_exercises_questions_and_sections_exist():
    known = {*asked("check("), *asked("predict(")}
    named = {f"{number}.{name}" for number, name in re.findall(r"`([\dA]\d)\.(\w+)`", GUIDE) if number in NUMBERS}
    assert len(named) > 15 and named <= known
    for number, names in re.findall(r"\| ([\dA]\d) \(([A-Z][^)]*)\)", GUIDE.replace("· 0", "| 0")):
        headings = "\n".join(cell.source for cell in NUMBERS[number].cells if cell.source.startswith("#"))
        assert all(f"· {name}" in headings for name in names.split(", ")), (number, names)
    assert [row[0] for row in table_rows(section("What each lesson is for"))] == list(NUMBERS)


def test_right_answers_are_the_notebooks_own():
    told, rows = asked("predict("), table_rows(section("What to ask"))
    assert len(rows) >= 20
    for key, _, _, right in rows:
        assert f"→ {right[0]}: " in told[key.strip("`")], key


def test_a_day_has_time_for_its_texts_and_a_term_asks_what_was_taught():
    rows = [row for day in ("A day", "A second day: from the limit to many GPUs") for row in table_rows(section(day))]
    texts = [row for row in rows if len(row) == 3 and row[2].startswith("正文")]
    assert [number for _, number, _ in texts] == [number for number in NUMBERS if number.isdigit()]
    for slot, number, _ in texts:
        begin, end = (60 * int(at[0]) + int(at[1]) for at in re.findall(r"(\d+):(\d+)", slot))
        needed = re.search(r"About (\d+) minutes", "".join(cell.source for cell in NUMBERS[number].cells))[1]
        assert end - begin >= int(needed), f"{number} needs {needed} minutes"
    seen = set()
    for _, lesson, homework in table_rows(section("A term of 12 weeks"))[:12]:
        seen |= set(re.findall(r"\b[01]\d\b", lesson))
        assert set(re.findall(r"`(\d\d)\.", homework)) <= seen, homework
    assert len(seen) == 13


# ---- every document's commands


@pytest.mark.parametrize("name", ["README.md", "TEACHING.md", "HARDWARE.md", "CONTRIBUTING.md", "AGENTS.md"])
def test_commands_are_those_that_exist(name):
    text, targets = (ROOT / name).read_text(), set(re.findall(r"^([a-z-]+):", MAKEFILE, flags=re.M))
    assert set(re.findall(r"(?:^|`)\s*make ([a-z-]+)", text, flags=re.M)) <= targets
    for module in set(re.findall(r"-m (course_tools[.\w]*)", text)):
        assert importlib.util.find_spec(module), module
    for line in re.findall(r"python -m course_tools\.handout (--[^`\n]*)", text):
        _parser().parse_args(line.split())


# ---- what HARDWARE.md says is tested


def test_ci_runs_what_the_table_of_backends_rests_on():
    ran = (ROOT / ".ci" / "run").read_text()
    for target in ("test", "test-deep", "test-oldest", "test-ascend"):
        assert re.search(rf"^make {target}$", ran, flags=re.M), target


def test_it_claims_hardware_only_where_something_was_recorded(tmp_path, monkeypatch):
    assert BACKENDS["cuda"].devices and BACKENDS["cuda"].runs.en == "yes"
    for mode in ("hip", "npu"):
        assert (BACKENDS[mode].runs.en == "yes") == bool(BACKENDS[mode].devices)
    (tmp_path / "a-times.csv").write_text("# device: AMD Instinct MI300X\n# hip: 7.0\na,b\n1,2\n")
    (tmp_path / "b-times.csv").write_text("# device: AMD Radeon RX 7600\n# hip: 7.0\na,b\n1,2\n")
    monkeypatch.setattr(support, "RECORDED", tmp_path)
    moved = {each.mode: each for each in backends()}
    assert moved["hip"].devices == ("AMD Radeon RX 7600", "MI300X"), "the hardware table need not know it"
    assert moved["hip"].runs.en == "yes" and "MI300X" in moved["hip"].measured.zh
    assert moved["cuda"].devices == () and "never" in moved["cuda"].runs.en
