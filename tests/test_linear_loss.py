"""The last layer and its loss in one: the same numbers as PyTorch's two calls, and never more than some rows of scores."""

import pytest
import torch
import torch.nn.functional as F

from course_utils import backend
from course_utils.softmax.linear_loss import linear_loss

EPS = {torch.float64: 1e-12, torch.float32: 1e-5, torch.bfloat16: 3e-2}
IGNORE = -100


def problem(dtype, tokens=23, hidden=8, words=50):
    made = torch.Generator().manual_seed(0)
    x, weight = (torch.randn(n, hidden, generator=made, dtype=torch.float64) for n in (tokens, words))
    target = torch.randint(words, (tokens,), generator=made)
    target[::5] = IGNORE
    return *(each.to(backend.device, dtype).requires_grad_() for each in (x, weight)), target.to(backend.device)


def wanted(x, weight, target):
    x, weight = (each.detach().double().requires_grad_() for each in (x, weight))
    loss = F.cross_entropy(F.linear(x, weight), target, ignore_index=IGNORE)
    return loss, *torch.autograd.grad(loss * 3, (x, weight))


@pytest.mark.parametrize("rows", [1, 7, 23, 64])
@pytest.mark.parametrize("dtype", EPS, ids=str)
def test_loss_and_gradients_are_those_of_pytorch(dtype, rows):
    x, weight, target = problem(dtype)
    loss = linear_loss(x, weight, target, ignore_index=IGNORE, rows=rows)
    found = loss, *torch.autograd.grad(loss * 3, (x, weight))
    for got, want in zip(found, wanted(x, weight, target), strict=True):
        assert got.dtype == dtype
        largest = want.abs().max().item()
        torch.testing.assert_close(got.double(), want, rtol=EPS[dtype], atol=EPS[dtype] * largest)


def test_no_gradient_is_computed_where_none_is_asked_for():
    x, weight, target = problem(torch.float32)
    with torch.no_grad():
        loss = linear_loss(x, weight, target, rows=7)
    assert not loss.requires_grad
    torch.testing.assert_close(loss.double(), wanted(x, weight, target)[0].detach(), rtol=1e-5, atol=1e-5)


def test_nothing_but_ignored_targets_is_nan_as_in_pytorch():
    x, weight, target = problem(torch.float32)
    assert linear_loss(x, weight, torch.full_like(target, IGNORE)).isnan()


def test_no_more_scores_than_some_rows():
    x, weight, target = problem(torch.float32)
    made = []

    class Watch(torch.utils._python_dispatch.TorchDispatchMode):
        def __torch_dispatch__(self, function, types, args=(), kwargs=None):
            made.append(out := function(*args, **(kwargs or {})))
            return out

    with Watch():
        linear_loss(x, weight, target, rows=4)
    shapes = {tuple(each.shape) for each in made if isinstance(each, torch.Tensor)}
    transposed = (8, 50)  # the weight
    assert {shape for shape in shapes if shape[1:] == (50,)} == {(4, 50), (3, 50), transposed}
