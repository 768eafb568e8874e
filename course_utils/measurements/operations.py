"""How long the backward pass of softmax takes, beside a kernel that moves just the bytes it has to: two matrices read, one written."""

from dataclasses import dataclass

from ..softmax import softmax_backward
from .bench import Timed, add, compare, every, inputs_for

ROWS = 4096
FUNCTIONS = {"floor": lambda pair: add(*pair), "course": lambda pair: softmax_backward(*pair)}
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

    for (provider, _), timing in compare(FUNCTIONS, pairs).items():
        yield Line(operation, provider, dtype, ROWS, columns, **timing.us)
