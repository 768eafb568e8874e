"""An exercise in a lesson: an editor with Check where a page can judge it, the stub alone where it can't."""

import ast

from bs4 import BeautifulSoup

from course_utils.language import Text

from . import cell, exercises

_KNOWN = {"x_ptr", "y_ptr", "n_rows", "n_cols", "x_stride", "y_stride", "BLOCK_SIZE", "BLOCK"}  # inputs.js has them
_SETTING = {"kind": "normal", "rows": 4, "columns": 5, "seed": 1, "dtype": "float32"}


def put_into(check, number: str, name: str) -> Text:
    """`check` is the cell below the stub; what it held gives way. Gives what the page leaves to the notebook, or why it can't judge."""
    check.clear()
    exercise = exercises.exported(name)
    if exercise is None:
        return Text(*exercises.why_not(name))
    stub = check.find_previous(class_="celltag_exercise").select_one(".highlight")
    text = stub.pre.get_text().strip("\n")
    task = {"id": f"{number}.{name}", "text": text, "check": {"name": f"{number}.{name}", "exercise": exercise}}
    does = ["check"]
    kernels = cell.kernels_of(text)
    if kernels and {each.arg for each in ast.walk(kernels[-1].args) if isinstance(each, ast.arg)} <= _KNOWN:
        does += ["run", "step"]
        task |= {"kernel": kernels[-1].name, "setting": _SETTING, "grid": [_SETTING["rows"]]}
    code = "\n" + stub.pre.decode_contents().strip("\n") + "\n"
    stub.replace_with(BeautifulSoup(cell.markup(code, task | {"does": does}), "html.parser"))
    below = check.find_next_sibling(class_="jp-Cell")
    if below and (answer := below.select_one(".celltag_answer")):
        answer["data-answer"] = f"{number}.{name}"
    return Text(*(exercises.beyond(name) or ("", "")))
