"""python -m course_tools.grading.nbgrader NOTEBOOK OUT: a notebook of the course as nbgrader's source version.

A stub becomes an autograded answer that holds the course's own, between nbgrader's marks; its check becomes an autograder
test of one point. `nbgrader generate_assignment` then makes the version for learners, and `nbgrader autograde` runs it.
"""

import re
import sys
from pathlib import Path

import nbformat

from course_utils.exercises.files import SIGNATURE

from .handed_in import ASKED

_ANSWER = re.compile(r"```python\n(.*?)\n```", re.DOTALL)


def convert(notebook):
    """The cells with an exercise are changed in place; what folds the answer away goes."""
    cells = notebook.cells
    for stub, check, answer in zip(cells, cells[1:], cells[2:]):
        if "exercise" not in stub.metadata.get("tags", []):
            continue
        name = "-".join(ASKED.search(check.source).groups())
        stub.source = _with_marks(stub.source, _ANSWER.search(answer.source)[1])
        stub.metadata["nbgrader"] = _said(f"answer-{name}", solution=True, locked=False)
        # A verdict is shown, and never raised: nbgrader wants an error.
        check.source = f'verdict = {check.source}\nassert verdict.status == "right", verdict'
        check.metadata["nbgrader"] = _said(f"check-{name}", grade=True, locked=True, points=1)
        check.outputs = []
    notebook.cells = [cell for cell in cells if "answer" not in cell.metadata.get("tags", [])]
    return notebook


def _with_marks(stub: str, answer: str) -> str:
    """The answer, with marks around what the stub leaves open."""
    body = answer[SIGNATURE.match(answer).end() :]
    return f"{SIGNATURE.match(stub)[0]}    ### BEGIN SOLUTION\n{body}\n    ### END SOLUTION"


def _said(grade_id: str, grade=False, solution=False, locked=True, **more) -> dict:
    kind = {"grade": grade, "solution": solution, "locked": locked, "task": False}
    return {"schema_version": 3, "grade_id": grade_id, **kind, **more}


if __name__ == "__main__":
    source, out = map(Path, sys.argv[1:])
    out.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(convert(nbformat.read(source, as_version=4)), out)
