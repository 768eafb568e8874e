"""What 06 shows: the contest, and a stopwatch of ten lines."""

import ast
import inspect
import json
from pathlib import Path

from course_utils.measurements import answers, times


def test_the_contest_tells_the_fastest_peer():
    table = times.contest("softmax", (4096, 1024), dtype="bfloat16")
    ((where, late, peer, hot, _),) = table.lines
    us = times.sweep("sustained").us(1024, "bfloat16")
    best = min(us[who] for who in times.PEERS if who in us)
    assert where == "4096 × 1024" and us[peer] == best
    assert late == f"{best / us['softmax']:.2f}" and float(hot) > 0


def test_the_stopwatch_of_the_notebook_is_the_one_that_was_recorded():
    (path,) = Path(__file__).parents[1].glob("notebooks/06_*.ipynb")
    cells = ("".join(cell["source"]) for cell in json.loads(path.read_text(encoding="utf-8"))["cells"])
    (shown,) = (cell for cell in cells if cell.startswith("def stopwatch("))
    ours = ast.parse(inspect.getsource(answers.stopwatch)).body[0]
    del ours.body[0]  # what it says of itself
    text = ast.unparse(ours).replace("statistics.median", "median").replace(", strict=False", "")
    assert ast.unparse(ast.parse(shown)) == text
