"""The notebooks' own answers keep to what the text teaches: row times stride is computed in 64 bits."""

from collections import defaultdict

import numpy as np
import pytest
import torch
from answers import EXERCISES, define

from course_utils.exercises.nb04 import FAR
from course_utils.interpreter import Listener, listening

# Those whose arguments are rows and strides; 07 and later hold theirs to it with tests of their own.
KERNELS = [asked for asked in EXERCISES if "@triton.jit" in asked.answer and asked.identifier < "05"]
ROWS, COLUMNS = 5, 4
THERE = {row * FAR + column for row in range(ROWS) for column in range(COLUMNS)}


class Offsets(Listener):
    """Every element that loads and stores ask for, whether it is there or not."""

    def __init__(self):
        self.asked = defaultdict(set)

    def accessed(self, launch, access):
        self.asked[access.kind].update(np.atleast_1d(access.offset[access.mask]).tolist())


def touched(kernel) -> dict[str, set[int]]:
    """The offsets of every load and store, with rows 2³⁰ elements apart. The rows are not there: nothing is touched."""
    memory = torch.zeros(ROWS, COLUMNS)
    given = {"y_ptr": memory, "x_ptr": memory.clone(), "n_rows": ROWS, "n_cols": COLUMNS, "BLOCK_SIZE": COLUMNS}
    given["bias_ptr"] = torch.zeros(COLUMNS)
    for name in kernel.arg_names:
        if name.endswith("stride"):
            given[name] = 1 if "col" in name else FAR
    found = Offsets()
    with listening(found):
        kernel[(2 if "n_rows" in kernel.arg_names else ROWS,)](**{name: given[name] for name in kernel.arg_names})
    return found.asked


@pytest.mark.parametrize("asked", KERNELS, ids=lambda asked: asked.identifier)
def test_model_answers_reach_rows_beyond_int32(asked):
    offsets = touched(define(asked.answer)[asked.name])
    assert offsets["store"] == THERE
    assert offsets["load"] <= THERE and max(offsets["load"]) > 2**31


@pytest.mark.parametrize("asked", KERNELS, ids=lambda asked: asked.identifier)
def test_the_test_would_see_a_product_in_int32(asked):
    narrow = asked.answer.replace(".to(tl.int64)", "")
    assert narrow != asked.answer
    assert not touched(define(narrow)[asked.name])["store"] <= THERE
