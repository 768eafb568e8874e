"""What 06 shows: the contest, and a stopwatch of ten lines."""

import ast
import inspect
import json
from pathlib import Path

import pytest

from course_utils.measurements import answers, recorded, times


@pytest.mark.parametrize("dtype", times.DTYPES)
def test_everybody_takes_part_wherever_he_runs(dtype):
    lines = recorded("times", dtype=dtype, state="sustained")
    found = {}
    for line in lines:
        found.setdefault(line.provider, set()).add((line.rows, line.columns))
    shapes = {(4096, n) for n in times.WIDTHS}
    assert all(shapes <= found[who] for who in ("copy", "torch", "compile", "gems", "softmax", "softmax late"))
    assert {n for _, n in found["quack"]} >= {n for n in times.WIDTHS if n % 4 == 0}
    assert {n for _, n in found["helion"]} >= set(times.WIDTHS) and {"liger", "tile"} <= found.keys()
    assert ("flashinfer" in found) == (dtype == "float32")
    assert all(0 < line.low_us <= line.median_us <= line.high_us for line in lines)


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
