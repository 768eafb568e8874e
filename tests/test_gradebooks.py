"""What goes back to Canvas, Moodle, Gradescope and GitHub Classroom: the formats that they read."""

import csv
import json
import os
import re
import shutil
import subprocess
import sys

import nbformat
import pytest
import yaml
from course import NOTEBOOKS, ROOT
from test_report import FIRST, WRONG, filled

from course_tools.grading import classroom, gradebooks, handed_in, nbgrader, report, roster
from course_tools.grading.handed_in import exercises
from course_tools.grading.judge import Result
from course_utils.language import Text

CANVAS = """\ufeffStudent,ID,SIS User ID,SIS Login ID,Section,Essay (12)
    Points Possible,,,,,10
"Doe, Jane",4021,s1,jdoe,A,8
"Lin, Ann",402,s2,alin,A,
"Student, Test",77,,abc123,A,
"""
MOODLE = "First name,Last name,ID number,Institution,Email address\nJane,Doe,1017,X,jane@example.org\n小明,王,1018,X,wang@example.org\n"


def listed(tmp_path, text) -> roster.Roster:
    path = tmp_path / "export.csv"
    path.write_text(text, encoding="utf-8")
    return roster.read(path)


def result(status) -> Result:
    return Result(status, Text("说明", "why"))


def found(*who: str) -> report.Report:
    names = exercises("04")
    marks = [("right", "right"), ("right", "wrong"), ("right", "unjudged"), ("not yet", "missing")]
    table = {name: dict(zip(names, map(result, each))) for name, each in zip(who, marks)}
    return report.Report(results={"04": table}, absent=["Absent"])


def rows(path) -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def test_whoever_handed_in_is_found_in_what_canvas_exports(tmp_path):
    known = listed(tmp_path, CANVAS)
    assert known.kind == "canvas" and known.names == ["Doe, Jane", "Lin, Ann", "Student, Test"]
    assert known.listed("doejane_4021_98765_01_naive_softmax") == "Doe, Jane"
    assert known.listed("linann_402_98766_01_naive_softmax") == "Lin, Ann", "402 is not in 4021"
    assert known.listed("alin") == "Lin, Ann" and known.listed("somebody") == "somebody"


def test_whoever_handed_in_is_found_in_what_moodle_exports(tmp_path):
    known = listed(tmp_path, MOODLE)
    assert known.kind == "moodle" and known.names == ["Jane Doe", "小明 王"]
    assert known.listed("Jane Doe_555_assignsubmission_file") == known.listed("jane@example.org") == "Jane Doe"


def test_canvas_gets_its_own_columns_back(tmp_path):
    """And no name becomes a formula."""
    known = listed(tmp_path, CANVAS)
    gradebooks.write_canvas(found("Doe, Jane", "Lin, Ann", "Student, Test", "=1+1"), known, tmp_path / "canvas.csv")
    assert rows(tmp_path / "canvas.csv") == [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "softmax 04"],
        ["    Points Possible", "", "", "", "", str(len(exercises("04")))],
        ["'=1+1", "", "", "'=1+1", "", "0"],
        ["Absent", "", "", "Absent", "", "0"],
        ["Doe, Jane", "4021", "s1", "jdoe", "A", "2"],
        ["Lin, Ann", "402", "s2", "alin", "A", "1"],
        ["Student, Test", "77", "", "abc123", "A", ""],
    ]


def test_moodle_gets_an_address_to_map_from(tmp_path):
    gradebooks.write_moodle(found("Jane Doe", "小明 王"), listed(tmp_path, MOODLE), tmp_path / "moodle.csv")
    heads, _, jane, ming = rows(tmp_path / "moodle.csv")
    assert heads == ["First name", "Last name", "ID number", "Email address", f"softmax 04 (0–{len(exercises('04'))})"]
    assert jane == ["Jane", "Doe", "1017", "jane@example.org", "2"] and ming[3:] == ["wang@example.org", "1"]


def test_gradescope_runs_a_submission(tmp_path):
    """`run_autograder` in the folders that Gradescope has, with this environment for the one that setup.sh makes."""
    (tmp_path / "submission").mkdir()
    (tmp_path / "results").mkdir()
    nbformat.write(filled(FIRST, {"masked_softmax": WRONG}), tmp_path / "submission" / FIRST.name)
    script = shutil.copy(ROOT / "course_tools/grading/gradescope/run_autograder", tmp_path)
    given = {"AUTOGRADER": str(tmp_path), "PYTHON": sys.executable, "PYTHONPATH": str(ROOT)}
    subprocess.run([script], check=True, env=os.environ | given, capture_output=True, timeout=120)
    said = json.loads((tmp_path / "results" / "results.json").read_text(encoding="utf-8"))
    assert [test["name"] for test in said["tests"]] == [f"01.{name}" for name in exercises("01")]
    assert {(test["score"], test["max_score"], test["status"]) for test in said["tests"]} == {(0, 1, "failed")}
    assert "after normalising" in said["tests"][0]["output"] and "先归一化再遮" in said["tests"][0]["output"]


def test_gradescope_hears_of_a_submission_that_is_no_notebook(tmp_path):
    trouble = report.Report(trouble=[("x", Text("不是笔记本", "no notebook"))])
    gradebooks.write_gradescope(trouble, tmp_path / "results.json")
    said = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    assert said["score"] == 0 and "no notebook" in said["output"] and "tests" not in said


def test_the_workflow_for_github_classroom_has_a_step_for_each_exercise():
    numbers = [path.stem[:2] for path in NOTEBOOKS]
    made = yaml.safe_load(classroom.workflow(numbers))
    steps = made["jobs"]["run-autograding-tests"]["steps"]
    graded = [step["with"] for step in steps if "command-grader" in step.get("uses", "")]
    assert [step["test-name"] for step in graded] == [
        f"{number}.{name}" for number in numbers for name in exercises(number)
    ]
    ids = [step["id"] for step in steps if "id" in step]
    last = steps[-1]
    assert last["with"]["runners"].split(",") == ids and set(last["env"]) == {f"{step.upper()}_RESULTS" for step in ids}
    assert all(re.fullmatch(r"\$\{\{steps\.[\w-]+\.outputs\.result\}\}", value) for value in last["env"].values())


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_nbgrader_gets_answers_between_its_marks_and_tests_of_one_point(path):
    asked = exercises(path.stem[:2])
    made = nbgrader.convert(nbformat.read(path, as_version=4))
    told = {cell.metadata["nbgrader"]["grade_id"]: cell for cell in made.cells if "nbgrader" in cell.metadata}
    assert set(told) == {f"{kind}-{path.stem[:2]}-{name}" for kind in ("answer", "check") for name in asked}
    for grade_id, cell in told.items():
        said = cell.metadata["nbgrader"]
        assert said["schema_version"] == 3 and said["solution"] == (not said["grade"]) == (not said["locked"])
        if grade_id.startswith("answer"):
            assert "### BEGIN SOLUTION" in cell.source and "..." not in cell.source
        else:
            assert said["points"] == 1 and 'status == "right"' in cell.source
        compile(cell.source, grade_id, "exec")
    assert not any("answer" in cell.metadata.get("tags", []) for cell in made.cells)


def test_a_learner_is_one_whatever_the_files_are_called(tmp_path):
    """A name before or behind the title, in either script, with what a browser adds: one row a learner."""
    files = {
        "00_start_here_王小明": "王小明", "03_masked_row_kernel_王小明": "王小明", "李雷_00_start_here": "李雷",
        "03-李雷": "李雷", "Ann Lee 00_start_here (1)": "Ann Lee", "Ann Lee-03_masked_row_kernel": "Ann Lee",
        "03_masked_row_kernel": "03_masked_row_kernel",
    }  # fmt: skip
    for name in files:
        number = "00" if "00" in name else "03"
        shutil.copy(next(path for path in NOTEBOOKS if path.name.startswith(number)), tmp_path / f"{name}.ipynb")
    (tmp_path / "03_masked_row_kernel_韩梅梅.ipynb").write_text("no notebook")
    named = handed_in.learners(tmp_path, handed_in.find(tmp_path))
    assert {path.stem: name for path, name in named.items()} == files | {"03_masked_row_kernel_韩梅梅": "韩梅梅"}
