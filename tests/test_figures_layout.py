"""The picture of tensors in memory: every address is PyTorch's own, and the drawing keeps to what every picture keeps to."""

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
