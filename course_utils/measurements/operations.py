"""How long the backward pass of softmax takes: the course's, PyTorch's, and what `torch.compile` makes of the formula."""

from dataclasses import dataclass

import torch

from ..softmax import softmax_backward
from .bench import Timed, compare, every, inputs_for
from .bench.peers import compiled

ROWS = 4096
CASES = every(operation=("softmax backward",), dtype=("float32", "bfloat16"), columns=(1024, 8192, 131072))
COMPILES = True


@dataclass(frozen=True)
class Line(Timed):
    operation: str
    provider: str
    dtype: str
    rows: int
    columns: int


def measure(operation, dtype, columns):
    def pairs():
        return [x.view(2, ROWS, columns) for x in inputs_for(2 * ROWS, columns, dtype, "cuda")]

    functions = {
        "torch": lambda pair: torch.ops.aten._softmax_backward_data(*pair, -1, pair.dtype),
        "compile": compiled(_formula),
        "course": lambda pair: softmax_backward(*pair),
    }
    for (provider, _), timing in compare(functions, pairs).items():
        yield Line(operation, provider, dtype, ROWS, columns, **timing.us)


def _formula(pair):
    dy, y = pair[0].float(), pair[1].float()
    return (y * (dy - (y * dy).sum(-1, keepdim=True))).to(pair.dtype)
