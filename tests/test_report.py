"""The teacher's report: it says who solved what, and no learner's notebook can do harm to it."""

import copy
import json
import re
import subprocess
import sys

import nbformat
import pytest
from course import NOTEBOOKS, read, tags

from course_tools.grading import answers
from course_tools.grading import report as reports

FILES = {path.stem[:2]: path for path in NOTEBOOKS}
FIRST = FILES["01"]


def filled(path, bodies=None):
    """A learner's copy: with the course's own answers, or with these functions in place of their stubs."""
    notebook = read(path)
    for position, cell in enumerate(notebook.cells):
        if "exercise" in tags(cell):
            asked = re.search(r'check\("\d\d\.(\w+)"', notebook.cells[position + 1].source)[1]
            if bodies is None:
                cell.source = re.search(r"```python\n(.*?)\n```", notebook.cells[position + 2].source, re.S)[1]
            else:
                cell.source = bodies.get(asked, cell.source)
    return notebook


def without(notebook, predicate):
    notebook = copy.deepcopy(notebook)
    notebook.cells = [cell for cell in notebook.cells if not predicate(cell)]
    return notebook


# Each tries to reach `target`, a file that must still be there afterwards with its content.
HOSTILE = {
    "loops": "def row_softmax(x):\n    while True:\n        pass",
    "loops when defined": "def row_softmax(x, y=max(iter(int, 1))):\n    return x",
    "exits": "def row_softmax(x):\n    import os\n    os._exit(0)",
    "deletes": "def row_softmax(x):\n    import os\n    os.remove({target!r})",
    "deletes when defined": "import os\ndef row_softmax(x, y=os.remove({target!r})):\n    return x",
    "empties": "def row_softmax(x):\n    open({target!r}, 'w')\n    return x",
    "renames": "def row_softmax(x):\n    import os\n    os.rename({target!r}, '/tmp/gone')",
    "writes here": "def row_softmax(x):\n    open('left_behind', 'w').write('x')",
    "shell": "def row_softmax(x):\n    import subprocess\n    subprocess.run(['rm', {target!r}], check=True)",
    "prints 10 GB": "def row_softmax(x):\n    for _ in range(10_000):\n        print('x' * 1_000_000)",
    "eats memory": "def row_softmax(x):\n    y = []\n    while True:\n        y.append(bytearray(2**28))",
    "forks": "def row_softmax(x):\n    import os\n    while True:\n        os.fork()",
    "connects": "def row_softmax(x):\n    import socket\n    socket.create_connection(('127.0.0.1', 9))",
    "kills": "def row_softmax(x):\n    import os\n    os.kill(os.getppid(), 9)",
    "segfaults": "def row_softmax(x):\n    import ctypes\n    ctypes.string_at(0)",
    "nested": "def row_softmax(x):\n    return " + "(" * 5000 + ")" * 5000,
    "recursive": "def row_softmax(x):\n    return " + "-" * 200_000 + "x",
    "terminal": "def row_softmax(x):\n    raise ValueError('\\x1b[2J\\x1b]0;owned\\x07')",
    "long-winded": "def row_softmax(x):\n    raise ValueError('y' * 10**6)",
    "closes": "def row_softmax(x):\n    import os\n    os.closerange(3, 99)",
    "answers rubbish": "def row_softmax(x):\n    import os\n    [os.write(k, b'[1, 2') for k in range(3, 9)]\n    os._exit(0)",
}
WRONG = "def row_softmax(x):\n    return torch.softmax(x, dim=0)"


def report(folder, *options):
    command = [sys.executable, "-m", "course_tools.grading", str(folder), *options]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=240)
    assert ran.returncode == 0, ran.stderr[-2000:]
    return ran


@pytest.fixture(scope="module")
def handed_in(tmp_path_factory):
    folder = tmp_path_factory.mktemp("class")
    target = folder / "precious.txt"
    target.write_text("precious")

    def put(who, notebook, name=FIRST.name):
        (folder / who).mkdir(exist_ok=True)
        nbformat.write(notebook, folder / who / name)

    put("blank", read(FIRST))
    put("wrong", filled(FIRST, {"row_softmax": WRONG}))
    put("syntax", filled(FIRST, {"row_softmax": "def row_softmax(x)\n    return x"}))
    put("no check", without(filled(FIRST), lambda cell: cell.source.startswith("check(")))
    put("no stub", without(filled(FIRST), lambda cell: "exercise" in tags(cell)))
    for who, code in HOSTILE.items():
        put(who, filled(FIRST, {"row_softmax": code.format(target=str(target))}))
    for name, content in {
        "empty": b"",
        "half": FIRST.read_bytes()[:3000],
        "list": b"[1]",
        "deep": b'{"cells":' + b"[" * 100_000,
        "binary": bytes(range(256)) * 10,
        "numbers": b'{"cells": [1, 2]}',
        "stranger": json.dumps({"cells": [{"cell_type": "code", "source": "1"}]}).encode(),
    }.items():
        (folder / f"{name}.ipynb").write_bytes(content)
    (folder / "folder.ipynb").mkdir()
    before = sorted(folder.rglob("*"))
    ran = report(folder, "--seconds", "2")
    assert sorted(folder.rglob("*")) == before
    assert target.read_text() == "precious"
    return ran


def rows(said: str, number: str) -> dict[str, list[str]]:
    table = re.search(rf"^\[{number}\]\n(.*?)\n\n", said, re.S | re.M)[1].splitlines()
    return {cells[0]: cells[1:] for cells in (re.split(r"\s{2,}", line) for line in table)}


def reason(said: str, who: str) -> str:
    return re.search(rf"^{re.escape(who)}(?: · 01.row_softmax)?\n((?:    .*\n?)+)", said, re.M)[1]


def test_the_course_s_own_answers_are_all_right(tmp_path):
    (tmp_path / "王小明").mkdir()
    for path in NOTEBOOKS:
        nbformat.write(filled(path), tmp_path / "王小明" / path.name)
    said = report(tmp_path).stdout
    for path in NOTEBOOKS:
        asked = reports.exercises(path.stem[:2])
        assert rows(said, path.stem[:2])["王小明"] == ["✓"] * len(asked) + [f"{len(asked)}/{len(asked)}"], said


def test_who_solved_what(handed_in):
    table = rows(handed_in.stdout, "01")
    assert table["学生 · learner"][:-1] == reports.exercises("01")
    assert table["blank"] == ["…", "…", "…", "0/3"]
    assert table["wrong"] == ["✗", "…", "…", "0/3"]
    assert "columns (dim=0)" in reason(handed_in.stdout, "wrong") and "沿着列" in reason(handed_in.stdout, "wrong")
    assert table["syntax"][0] == "✗" and "def row_softmax(x)" in reason(handed_in.stdout, "syntax")
    assert table["no check"] == ["✓", "✓", "✓", "3/3"]
    assert table["no stub"] == ["–", "–", "–", "0/3"]
    assert table["共 · solved"][0] == f"1/{len(table) - 2}"


@pytest.mark.parametrize("who", HOSTILE)
def test_a_hostile_answer_is_wrong_and_says_why(handed_in, who):
    assert rows(handed_in.stdout, "01")[who] == ["✗", "…", "…", "0/3"]
    assert re.search("[\u4e00-\u9fff]", reason(handed_in.stdout, who))
    assert len(reason(handed_in.stdout, who)) < 1500


@pytest.mark.parametrize("who", ["loops", "loops when defined"])
def test_an_endless_loop_is_named(handed_in, who):
    assert "had not ended after 2 s" in reason(handed_in.stdout, who).lower()


@pytest.mark.parametrize("who", ["deletes", "empties", "renames", "writes here", "shell", "forks", "connects", "kills"])
def test_the_lock_refuses(handed_in, who):
    assert "Operation not permitted" in reason(handed_in.stdout, who)


@pytest.mark.parametrize("who", ["empty", "half", "list", "deep", "binary", "numbers", "stranger", "folder"])
def test_what_is_no_notebook_is_said(handed_in, who):
    assert re.search(rf"^{who}\n    .*[\u4e00-\u9fff]", handed_in.stdout, re.M)


def test_a_learner_cannot_write_to_the_terminal(handed_in):
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f]", handed_in.stdout)
    assert handed_in.stderr == ""


def test_only_what_an_answer_needs_is_run():
    cells = [
        "import math\nimport os",
        "print('never')\nunused = os.remove('x')\n%matplotlib inline",
        "BASE = 2\nBASE = BASE * 2\nSCALE = BASE + 1",
        "def helper(x):\n    return x * SCALE + later\n\ndef other():\n    return 1",
        "this is no python",
        "@helper\ndef answer(x, y=math.pi):\n    return helper(x)",
        "later = 5\ndef answer(x, y=math.pi):\n    return helper(x) + y",
        "BASE = 100",
    ]
    text = answers.needed(cells, "answer")
    namespace = {}
    exec(text, namespace)
    assert namespace["answer"](1, 0) == 5 + 5
    for absent in ("never", "unused", "other", "this is"):
        assert absent not in text
    assert answers.needed(cells, "nothing") is None
    with pytest.raises(answers.Unreadable):
        answers.needed(["def answer(x)\n    pass"], "answer")


def test_usage_errors_are_bilingual(tmp_path):
    command = [sys.executable, "-m", "course_tools.grading"]
    ran = subprocess.run([*command, str(tmp_path / "nowhere")], capture_output=True, text=True)
    assert ran.returncode == 2 and "没有文件夹" in ran.stderr and "no folder" in ran.stderr
    assert "Traceback" not in ran.stderr
