"""Ledger, stepper and finder show the same wherever they run: on a machine that compiles, another process interprets for them."""

import json
import os
import sys

import pytest
import torch
from course import ROOT, python
from kernels import copy_unmasked, softmax_rows
from test_races import counter, half, meeting, zeros

from course_utils.backend import mode
from course_utils.races import find_races
from course_utils.stepper import step, step_together
from course_utils.traffic import ledger


def shown() -> dict:
    x, y = torch.arange(24.0).reshape(4, 6), torch.zeros(4, 6)
    with ledger() as book:
        x.exp()
        softmax_rows[lambda meta: (meta["BLOCK"] // 4,)](y, x, 6, 6, 4, 6, BLOCK=8, num_warps=2)
        copy_unmasked[(1,)](y, y, 0, BLOCK=32)
    steps = step(softmax_rows, (2,), 1, torch.zeros(4, 6), x, 6, 6, 4, 6, BLOCK=8).at("tl.store")
    together = step_together(meeting, (2,), counter(), torch.zeros(2), PARTS=2).at("waiting")
    return {
        "ledger": repr(book),
        "softmax": torch.allclose(y, x.softmax(1)),
        "steps": [repr(steps), steps.still(), repr(together)],
        "outcomes": find_races(half, (2,), *zeros(1, 1, 1), M_FIRST=True).outcomes["out_ptr"],
    }


@pytest.mark.slow
def test_a_machine_of_the_other_kind_shows_the_same():
    other = "cuda" if mode == "interpreter" else "interpreter"
    code = "import json; from test_elsewhere import mode, shown; print(json.dumps([mode, shown()]))"
    run = python(code, COURSE_BACKEND=other, PYTHONPATH=os.pathsep.join([str(ROOT / "tests"), *sys.path]))
    assert run.returncode == 0, run.stderr
    here = shown()
    assert json.loads(run.stdout) == [other, here]
    assert here["softmax"] and "softmax_rows[2]" in here["ledger"] and here["outcomes"] == [[0.0], [2.0]]
