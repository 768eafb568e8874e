"""Online softmax: the pair of a part of a row, its merge, and the kernels that read a row two or three times."""

import itertools
import math

import pytest
import torch
from pictures import check_layout

from course_utils import figures
from course_utils.backend import device, tl, triton
from course_utils.figures.merging import SHAPES, leaves, merged, merges
from course_utils.softmax import (
    merge,
    three_pass_softmax,
    two_pass_softmax,
)

INF, NAN = math.inf, math.nan


@triton.jit
def merge_kernel(out_ptr, in_ptr):
    m, s = merge(tl.load(in_ptr), tl.load(in_ptr + 1), tl.load(in_ptr + 2), tl.load(in_ptr + 3))
    tl.store(out_ptr, m)
    tl.store(out_ptr + 1, s)


def merge_of(*numbers):
    out = torch.empty(2, device=device)
    merge_kernel[(1,)](out, torch.tensor(numbers, device=device))
    return out.tolist()


@pytest.mark.parametrize("softmax", [two_pass_softmax, three_pass_softmax], ids=["two", "three"])
@pytest.mark.parametrize("columns", [1, 2, 31, 32, 33, 64, 100])
def test_blocks_of_any_length(softmax, columns):
    x = torch.randn(3, columns + 5, generator=torch.Generator().manual_seed(columns)).to(device)[:, :columns]
    for block in (4, 32, 128):
        assert torch.allclose(softmax(x, block), torch.softmax(x, dim=1), atol=1e-7)


@pytest.mark.parametrize("block", [1, 2, 8])
def test_special_scores(block):
    rows = [[-INF, -INF, -INF, 1.0], [-INF] * 4, [NAN, 1, 2, 3], [1, 2, 3, NAN], [1, INF, 0, 0], [1e3, 999, -1e38, 1e3]]
    x = torch.tensor(rows, device=device)
    assert torch.allclose(two_pass_softmax(x, block), torch.softmax(x, dim=1), atol=1e-7, equal_nan=True)


def test_a_merge_takes_its_sides_in_any_order():
    for a, b in itertools.product([(-INF, 0.0), (0.5, 2.0), (3.0, 1.25), (-80.0, 1.0)], repeat=2):
        assert merge_of(*a, *b) == pytest.approx(merge_of(*b, *a))
    assert merge_of(-INF, 0.0, -INF, 0.0) == [-INF, 0.0]
    assert merge_of(-INF, 0.0, 3.0, 1.25) == [3.0, 1.25]
    assert math.isnan(merge_of(NAN, 1.0, 3.0, 1.25)[1])


@pytest.mark.parametrize("shape", SHAPES)
def test_every_tree_of_merges_ends_in_the_same_pair(shape):
    for order in range(10):
        alive = leaves(order)
        want = sum(2.0**x for x, _ in alive)
        for k in merges(shape, order):
            alive[k : k + 2] = [merged(alive[k], alive[k + 1])]
        ((m, s),) = alive
        assert s * 2**m == want
        for step in (0, 3, None):
            check_layout(figures.merge_tree(shape, order, step))
