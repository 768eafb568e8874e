"""The notebooks' own answers keep to what the text teaches: row times stride is computed in 64 bits."""

import re
from collections import defaultdict

import pytest
import torch
from answers import EXERCISES, define

from course_utils.interpreter import Listener, listening

FAR = 2**30  # a row stride: row 2 begins at 2³¹, where int32 ends
# Rows that are not there read as NaN, and NumPy, which the interpreter computes with, finds no argmax of them.
KERNELS = [
    asked
    for asked in EXERCISES
    if "stride" in asked.stub and "@triton.jit" in asked.answer and "tl.argmax" not in asked.answer
]
PACKED = [
    asked
    for asked in EXERCISES
    if "@triton.jit" in asked.answer and "stride" not in asked.stub and re.search(r"\b(row|head) ?(=|,)", asked.answer)
]
ROWS, COLUMNS = 5, 4
SIZES = {"n_rows": ROWS, "n_cols": COLUMNS, "BLOCK_SIZE": COLUMNS, "scale": 0.5, "ignore_index": -100}
SIZES |= {"first": 0, "ROWS": 1, "PARTS": 1, "FULL": 1, "K": 1}
THERE = {row * FAR + column for row in range(ROWS) for column in range(COLUMNS)}


class Offsets(Listener):
    """Every element that loads and stores ask for, whether it is there or not, by the name of the tensor."""

    def __init__(self):
        self.asked = {"load": defaultdict(set), "store": defaultdict(set), "atomic": defaultdict(set)}

    def accessed(self, launch, access):
        for owner, offset in zip(access.owner[access.mask].flat, access.offset[access.mask].flat, strict=True):
            self.asked[access.kind][launch.arguments[owner].name].add(int(offset))


def given(name: str, names: list[str]) -> object:
    """An argument of this name: rows lie 2³⁰ elements apart. They are not there, and nothing is touched."""
    of = name.removesuffix("ptr")
    if name.endswith("_ptr") and {f"{of}stride", f"{of}row_stride"} & set(names):
        return torch.zeros(ROWS, COLUMNS)
    if name in ("target_ptr", "arrived_ptr", "lengths_ptr"):
        return torch.full((ROWS,), COLUMNS if "lengths" in name else 0)
    if name.endswith("_ptr"):
        return torch.zeros(ROWS)
    if name.endswith("stride"):
        return 1 if "col" in name else FAR
    return SIZES[name]


def touched(kernel) -> dict[str, dict[str, set[int]]]:
    """The offsets of every load and store, by tensor: of those alone that have a stride."""
    arguments = {name: given(name, kernel.arg_names) for name in kernel.arg_names}
    found = Offsets()
    one_program_many_rows = "n_rows" in arguments and not {"scale", "ROWS"} & set(arguments)
    with listening(found):
        kernel[(2 if one_program_many_rows else ROWS,)](**arguments)
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
