"""The teacher's report: it says who solved what, and no learner's notebook can do harm to it."""

import contextlib
import csv
import io
import json
import os
import re
import time

import nbformat
import pytest
from course import NOTEBOOKS, read, tags

from course_tools.contents import NUMBER
from course_tools.grading import report as reports
from course_tools.grading.__main__ import main as grading

FILES = {path.stem[:2]: path for path in NOTEBOOKS}
FIRST = FILES["01"]


def filled(path, bodies=None):
    """A learner's copy: with the course's own answers, or with these functions in place of their stubs."""
    notebook = read(path)
    for position, cell in enumerate(notebook.cells):
        if "exercise" in tags(cell):
            asked = re.search(rf'check\("{NUMBER}\.(\w+)"', notebook.cells[position + 1].source)[1]
            if bodies is None:
                cell.source = re.search(r"```python\n(.*?)\n```", notebook.cells[position + 2].source, re.S)[1]
            else:
                cell.source = bodies.get(asked, cell.source)
    return notebook


WRONG = "def masked_softmax(x, keep):\n    return torch.softmax(x, dim=1) * keep"


def report(folder, *options, encoding="utf-8") -> tuple[int, str]:
    """What the command comes to and prints, without another Python to start."""
    screen, before = io.TextIOWrapper(io.BytesIO(), encoding=encoding), os.environ.get("COURSE_BACKEND")
    with contextlib.redirect_stdout(screen), contextlib.redirect_stderr(screen):
        status = grading([str(folder), *map(str, options)])
    os.environ.pop("COURSE_BACKEND") if before is None else os.environ.update(COURSE_BACKEND=before)
    screen.flush()
    return status, screen.buffer.getvalue().decode(encoding)


QUOTIENT = "def best_milliseconds(a, b):\n    return a / b / 1e6"
EXTRACTED = {  # answers to 00, and the mark of each
    "a percent sign inside brackets": ("def best_milliseconds(a, b):\n    return (a / b / 1e6\n    % 10**30)", "✓"),
    "a timed cell": (f"%%time\n{QUOTIENT}", "✓"),
    "magics around it": (f"%matplotlib inline\nfiles = !ls\nint?\n{QUOTIENT}\n%time 1", "✓"),
    "under if": ("if True:\n    def best_milliseconds(a, b):\n        return a / b / 1e6", "✓"),
    "a helper under try": (
        "import math\ntry:\n    from nowhere import quotient\nexcept ImportError:\n    def quotient(a, b):\n        return a / b / 1e6\n"
        "def best_milliseconds(a, b):\n    return quotient(a, b)",
        "✓",
    ),
    "a table filled in a loop": (f"table = {{}}\nfor k in (1, 2):\n    table[k] = k\n{QUOTIENT} * table[1]", "✓"),
    "two on a line": (f"one = 1; print('x'); two = one * 2\n{QUOTIENT} * two / 2", "✓"),
    "a lambda over lines": ("best_milliseconds = lambda a, b: (\n    a\n    / b / 1e6\n)", "✓"),
    "defined out of sight": (f"exec('factor = 1')\n{QUOTIENT} * factor", "?"),
    "a name that nobody defines": ("def best_milliseconds(a, b):\n    return a / b / millions", "✗"),
    "untouched": ("def best_milliseconds(a, b):\n    return ...", "…"),
    "seconds": ("def best_milliseconds(a, b):\n    return a / b / 1e9", "✗"),
}
NO_NOTEBOOK = {
    "empty": b"", "half": FIRST.read_bytes()[:3000], "list": b"[1]", "deep": b'{"cells":' + b"[" * 100_000,
    "binary": bytes(range(256)) * 10, "numbers": b'{"cells": [1, 2]}',
    "stranger": json.dumps({"cells": [{"cell_type": "code", "source": "1"}]}).encode(),
}  # fmt: skip


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """A class that handed in all of this: what is printed, the CSV file, and the pages. What `target` holds must survive."""
    folder, out = tmp_path_factory.mktemp("class"), tmp_path_factory.mktemp("out")
    target = folder / "precious.txt"
    target.write_text("precious")

    def put(who, notebook, name=FIRST.name):
        (folder / who).mkdir(exist_ok=True)
        nbformat.write(notebook, folder / who / name)

    put("blank", read(FIRST))
    put("wrong", filled(FIRST, {"masked_softmax": WRONG}))
    put("syntax", filled(FIRST, {"masked_softmax": "def masked_softmax(x, keep)\n    return x"}))
    deletes = f"import os\ndef masked_softmax(x, keep, y=os.remove({str(target)!r})):\n    return x"
    put("deletes", filled(FIRST, {"masked_softmax": deletes}))
    terminal = "def masked_softmax(x, keep):\n    raise ValueError('\\x1b[2J\\x1b]0;owned\\x08')"
    put("terminal", filled(FIRST, {"masked_softmax": terminal}))
    unchecked, without_stub = filled(FIRST), filled(FIRST)
    unchecked.cells = [cell for cell in unchecked.cells if not cell.source.startswith("check(")]
    without_stub.cells = [cell for cell in without_stub.cells if "exercise" not in tags(cell)]
    put("no check", unchecked)
    put("no stub", without_stub)
    for who, (source, _) in EXTRACTED.items():
        put(who, filled(FILES["00"], {"best_milliseconds": source}), FILES["00"].name)
    for name, content in NO_NOTEBOOK.items():
        (folder / f"{name}.ipynb").write_bytes(content)
    (folder / "folder.ipynb").mkdir()
    before = sorted(folder.rglob("*"))
    roster, table, pages = out / "names.txt", out / "out.csv", out / "pages"
    roster.write_text("\n".join(["=Nobody", *EXTRACTED, "王缺席"]), encoding="utf-8")
    status, said = report(folder, "--seconds", "2", "--roster", roster, "--csv", table, "--feedback", pages)
    assert status == 0 and sorted(folder.rglob("*")) == before and target.read_text() == "precious"
    return said, table, pages


@pytest.fixture
def handed_in(graded):
    return graded[0]


def rows(said: str, number: str) -> dict[str, list[str]]:
    table = re.search(rf"^\[{number}\]\n(.*?)\n\n", said, re.S | re.M)[1].splitlines()
    return {cells[0]: cells[1:] for cells in (re.split(r"\s{2,}", line) for line in table)}


def reason(said: str, who: str) -> str:
    return re.search(rf"^{re.escape(who)}(?: · 01.masked_softmax)?\n((?:    .*\n?)+)", said, re.M)[1]


def line(first: str, rest: str, solved: int = 0) -> list[str]:
    """A learner's line for 01, however many exercises it has."""
    asked = len(reports.exercises("01"))
    return [first, *[rest] * (asked - 1), f"{solved}/{asked}"]


KINDS = [path for path in NOTEBOOKS if path.stem.startswith(("01", "03", "08", "12"))]


@pytest.mark.parametrize("path", KINDS, ids=lambda path: path.stem)
def test_the_course_s_own_answers_are_all_right(path, tmp_path):
    """Functions and kernels, alone and with what other cells define; `test_exercises` judges all."""
    (tmp_path / "王小明").mkdir()
    nbformat.write(filled(path), tmp_path / "王小明" / path.name)
    _, said = report(tmp_path)
    asked = reports.exercises(path.stem[:2])
    assert rows(said, path.stem[:2])["王小明"] == ["✓"] * len(asked) + [f"{len(asked)}/{len(asked)}"], said


def test_who_solved_what(handed_in):
    table = rows(handed_in, "01")
    assert table["学生 · learner"][:-1] == reports.exercises("01")
    assert table["blank"] == line("…", "…")
    assert table["wrong"] == line("✗", "…")
    said = reason(handed_in, "wrong")
    assert "after normalising" in said and "先归一化再遮" in said
    assert table["syntax"][0] == "✗" and "def masked_softmax(x, keep)" in reason(handed_in, "syntax")
    assert table["no check"] == line("✓", "✓", len(reports.exercises("01")))
    assert table["no stub"] == line("–", "–")
    assert table["deletes"] == line("?", "…"), "what fails while it is being defined may lack a piece of the notebook"
    assert table["terminal"] == line("✗", "…") and "owned" in reason(handed_in, "terminal")
    assert table["共 · solved"][0] == f"1/{len(table) - 2}"


@pytest.mark.parametrize("who", [*NO_NOTEBOOK, "folder"])
def test_what_is_no_notebook_is_said(handed_in, who):
    assert re.search(rf"^{who}\n    .*[\u4e00-\u9fff]", handed_in, re.M)


def test_a_learner_cannot_write_to_the_terminal(handed_in):
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f]", handed_in)


@pytest.mark.parametrize("what", EXTRACTED)
def test_an_answer_is_taken_with_all_that_it_needs(handed_in, what):
    assert rows(handed_in, "00")[what][0] == EXTRACTED[what][1], handed_in


def test_an_endless_loop_is_waited_for_once(tmp_path):
    """Two answers rest on a helper that never ends."""
    helper = "def shared(*given):\n    while True:\n        pass\n\n"
    asked = reports.exercises("06")
    bodies = {name: f"{helper}def {name}(*given):\n    return shared(*given)" for name in asked[:2]}
    nbformat.write(filled(FILES["06"], bodies), tmp_path / FILES["06"].name)
    (tmp_path / "torn.ipynb").write_text("{")
    began = time.monotonic()
    _, said = report(tmp_path, "--seconds", "4", "--feedback", tmp_path / "pages")
    marks = rows(said, "06")[FILES["06"].stem]
    assert marks[:2] == ["✗", "?"] and "was not waited for again" in said, said
    assert time.monotonic() - began < 40
    torn = (tmp_path / "pages" / "torn.md").read_text(encoding="utf-8")
    assert "not a notebook" in torn and "不是笔记本" in torn


def test_what_could_not_be_judged_shows_the_program(handed_in):
    said = handed_in.split("defined out of sight · 00.best_milliseconds")[1]
    assert "could not be taken out of the notebook" in said and "    | def best_milliseconds(a, b):" in said


def test_the_csv_file_has_a_row_for_each_and_no_formula(graded):
    with graded[1].open(encoding="utf-8-sig", newline="") as file:
        found = list(csv.DictReader(file))
    assert {*EXTRACTED, "王缺席"} <= {row["learner"] for row in found}
    assert {row["status"] for row in found} == {"right", "wrong", "unjudged", "not yet", "missing"}
    assert not any(text.startswith(("=", "+", "-", "@")) for row in found for text in row.values())


def test_each_learner_gets_a_page_in_both_languages(graded):
    said, _, pages = graded
    page = (pages / "seconds.md").read_text(encoding="utf-8")
    assert "还不对 · not right yet" in page and "Those are seconds" in page and "这是秒" in page
    assert "Handed in nothing." in (pages / "王缺席.md").read_text(encoding="utf-8")
    assert rows(said, "00")["王缺席"] == ["–", "0/1"]


def test_an_ascii_terminal_gets_the_table_too(tmp_path):
    (tmp_path / "王小明.ipynb").write_text("{")
    status, said = report(tmp_path, encoding="ascii")
    assert status == 0 and "\\u738b\\u5c0f\\u660e" in said and "not a notebook" in said


@pytest.mark.parametrize("right", [True, False])
def test_one_exercise_alone_decides_the_exit_status(tmp_path, right):
    nbformat.write(filled(FIRST, None if right else {"masked_softmax": WRONG}), tmp_path / FIRST.name)
    status, said = report(tmp_path, "--require", "01.masked_softmax")
    assert status == (not right) and "masked_softmax" in said and ("after normalising" in said) != right
