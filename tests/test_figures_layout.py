"""The picture of tensors in memory: every address is PyTorch's own, and the drawing keeps to what every picture keeps to."""

import re

import pytest
import torch
from test_figures import check_layout

from course_utils import figures
from course_utils.figures.memory import addresses

WIDE = torch.arange(18.0).reshape(3, 6)
VIEWS = {
    "contiguous": torch.arange(12.0).reshape(3, 4),
    "slice": WIDE[:, :4],
    "slice from the middle": WIDE[1:, 2:],
    "transpose": torch.arange(12.0).reshape(4, 3).T,
    "every other column": WIDE[:, ::2],
    "one row": WIDE[:1],
    "one column": WIDE[:, :1],
    "half precision": WIDE.half()[:, :4],
}


@pytest.mark.parametrize("name", VIEWS)
def test_addresses_are_where_pytorch_keeps_the_elements(name):
    view = VIEWS[name]
    line = torch.as_strided(view, (view.untyped_storage().nbytes() // view.element_size(),), (1,), 0)
    places = torch.tensor(addresses(view.shape, view.stride(), view.storage_offset()))
    assert torch.equal(line[places], view)


@pytest.mark.parametrize("name", VIEWS)
def test_the_picture_keeps_to_its_paper(name):
    check_layout(figures.in_memory(x=VIEWS[name]))


def test_the_picture_of_three():
    picture = figures.in_memory(x=VIEWS["contiguous"], part=VIEWS["slice"], turned=VIEWS["transpose"])
    check_layout(picture)
    again = figures.in_memory(x=VIEWS["contiguous"], part=VIEWS["slice"], turned=VIEWS["transpose"])
    assert picture.html() == again.html()
    assert "part (3, 4), stride (6, 1)" in picture.en and "turned (3, 4), stride (1, 3)" in picture.zh
    assert re.search("[\u4e00-\u9fff]", picture.zh)


def test_a_cell_of_memory_has_the_colour_of_its_row(monkeypatch):
    drawn = []
    canvas = figures.in_memory.__globals__["Canvas"]
    monkeypatch.setattr(
        canvas, "rect", lambda self, x, y, w, h, fill, *a, **k: drawn.append((round(y), round(x), fill))
    )
    figures.in_memory(part=VIEWS["slice"])
    line = [fill for y, x, fill in sorted(drawn) if x >= 212]
    assert line == (["c0"] * 4 + ["wash"] * 2 + ["c1"] * 4 + ["wash"] * 2 + ["c2"] * 4 + ["wash"] * 2)
