"""The two kernels of 10 beside PyTorch's calls, what `torch.compile` makes of the same formula, and the best copy."""

from functools import partial

import torch
from torch.nn.functional import cross_entropy

from .. import backend
from ..softmax import fused_loss, row_backward
from .bench import compare, inputs_for, timed_line
from .bench.peers import compiled
from .ruler import copies

ROWS, COLUMNS, DTYPE = 4096, 8192, "float32"
CASES = [{"operation": "softmax backward"}, {"operation": "cross-entropy"}]
COMPILES = True
COPY = {"provider": "copy"}
# Cross-entropy is timed with its gradient. The copy is of one matrix.
Line = timed_line(operation=str, provider=str, rows=int, columns=int, dtype=str)


def measure(operation):
    late = {way: partial(_of_one, copy) for way, copy in copies().items() if not way[-1]}
    functions = _backward() if operation == "softmax backward" else _loss()
    found = compare(functions | late, _pairs, seconds=0.01)
    found["copy", "sustained"] = min((found.pop((way, "sustained")) for way in late), key=lambda timing: timing.median)
    for (provider, _), timing in found.items():
        yield Line(operation, provider, ROWS, COLUMNS, DTYPE, **timing.us)


def _pairs():
    """Two matrices each."""
    return [x.view(2, ROWS, COLUMNS) for x in inputs_for(2 * ROWS, COLUMNS, DTYPE, backend.device)]


def _of_one(function, pair):
    return function(pair[0])


def _backward():
    by_compile = compiled(naive_backward)
    return {
        "calls": lambda pair: naive_backward(*pair),
        "torch": lambda pair: torch.ops.aten._softmax_backward_data(*pair, -1, pair.dtype),
        "compile": lambda pair: by_compile(*pair),
        "row": lambda pair: row_backward(*pair),
    }


def naive_backward(dy, y):
    products = y * dy
    s = products.sum(dim=1)
    above = dy - s[:, None]
    return y * above


def _loss():
    target = torch.randint(COLUMNS, (ROWS,), device=backend.device)
    by_compile = compiled(cross_entropy)

    def gradient(function, pair):
        x = pair[0].detach().requires_grad_()
        loss = function(x, target)
        return loss, *torch.autograd.grad(loss, x)

    return {
        "torch": partial(gradient, cross_entropy),
        "compile": partial(gradient, by_compile),
        "row": lambda pair: fused_loss(pair[0], target),
    }
