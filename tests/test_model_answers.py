"""The notebooks' own answers keep to what the text teaches: row times stride is computed in 64 bits."""

from collections import defaultdict

import pytest
import torch
from answers import EXERCISES, define

from course_utils.exercises.nb04 import FAR
from course_utils.interpreter import Listener, listening

KERNELS = [asked for asked in EXERCISES if "stride" in asked.stub and "@triton.jit" in asked.answer]
PACKED = [asked for asked in EXERCISES if "stride" not in asked.stub and "tl.program_id(0)" in asked.answer]
ROWS, COLUMNS = 5, 4
CONSTANTS = {"ROWS": 1, "PARTS": 1, "FULL": 1, "K": 1}
THERE = {row * FAR + column for row in range(ROWS) for column in range(COLUMNS)}


class Offsets(Listener):
    """Every element that loads and stores ask for, whether it is there or not, by the name of the tensor."""

    def __init__(self):
        self.asked = {"load": defaultdict(set), "store": defaultdict(set), "atomic": defaultdict(set)}

    def accessed(self, launch, access):
        for owner, offset in zip(access.owner[access.mask].flat, access.offset[access.mask].flat, strict=True):
            self.asked[access.kind][launch.arguments[owner].name].add(int(offset))


def given(name: str, kernel) -> object:
    """An argument of this name: rows lie 2³⁰ elements apart. They are not there, and nothing is touched."""
    if name == "bias_ptr":
        return torch.zeros(COLUMNS)
    strided = (
        f"{name.removesuffix('ptr')}stride" in kernel.arg_names
        or f"{name.removesuffix('ptr')}row_stride" in kernel.arg_names
    )
    if name.endswith("_ptr"):
        return (
            torch.zeros(ROWS, COLUMNS)
            if strided
            else torch.zeros(ROWS, dtype=torch.int64 if "target" in name else torch.float32)
        )
    if name.endswith("stride"):
        return 1 if "col" in name else FAR
    return {"n_rows": ROWS, "n_cols": COLUMNS, "BLOCK_SIZE": COLUMNS, "scale": 0.5, "ignore_index": -100} | CONSTANTS[
        name
    ]


def touched(kernel) -> dict[str, dict[str, set[int]]]:
    """The offsets of every load and store, by tensor: of those alone that have a stride."""
    arguments = {name: given(name, kernel) for name in kernel.arg_names}
    found = Offsets()
    with listening(found):
        kernel[(2 if "n_rows" in arguments and "scale" not in arguments else ROWS,)](**arguments)
    strided = {name for name, value in arguments.items() if isinstance(value, torch.Tensor) and value.dim() == 2}
    return {kind: {name: asked[name] for name in strided if asked[name]} for kind, asked in found.asked.items()}


@pytest.mark.parametrize("asked", KERNELS, ids=lambda asked: asked.identifier)
def test_model_answers_reach_rows_beyond_int32(asked):
    offsets = touched(define(asked.answer)[asked.name])
    assert all(stored == THERE for stored in offsets["store"].values())
    for loaded in offsets["load"].values():
        assert loaded <= THERE and max(loaded) > 2**31


@pytest.mark.parametrize("asked", KERNELS, ids=lambda asked: asked.identifier)
def test_the_test_would_see_a_product_in_int32(asked):
    narrow = asked.answer.replace(".to(tl.int64)", "")
    assert narrow != asked.answer
    offsets = touched(define(narrow)[asked.name])
    assert any(not each <= THERE for tensors in offsets.values() for each in tensors.values())


@pytest.mark.parametrize("asked", PACKED, ids=lambda asked: asked.identifier)
def test_where_rows_are_packed_the_program_is_wide(asked):
    """Their row is as long as the block, a constant: no stride can be given that would tell."""
    assert "tl.program_id(0).to(tl.int64)" in asked.answer
