"""What 06 shows: the contest, and a stopwatch of ten lines."""

import ast
import inspect
import json
from pathlib import Path

from course_utils.measurements import answers, stalls, times
from course_utils.measurements.bench.counters import MARK, PROGRAMS, Case

STALL = "smsp__average_warps_issue_stalled_{}_per_issue_active.ratio"
NCU = f"""==PROF== Connected
"ID","Kernel Name","{PROGRAMS}","launch__registers_per_thread","{STALL.format("long_scoreboard")}","{STALL.format("barrier")}"
"","","","register/thread","inst","inst"
"0","{MARK}","2","16","1","1"
"1","row_kernel","4,096","32","7.25","1"
"""


def test_reasons_are_read_from_what_ncu_prints():
    cases = [Case("row", "float32", 4096, 781), Case("tile", "float32", 4096, 781)]
    ((case, kernel, found),) = stalls.of_each(cases, NCU)
    assert (case, kernel) == (cases[1], "row_kernel")
    assert found == {"registers": 32, "programs": 4096, "stall long scoreboard": 7.25, "stall barrier": 1}


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
