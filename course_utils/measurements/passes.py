"""How often a row is read: three times, twice, and once where a program can hold it, beside the best copy on the same buffers."""

from dataclasses import replace

import torch

from ..softmax.choose import WIDEST, Shape, alone, gpu_of
from ..softmax.two_passes import three_pass_softmax, two_pass_softmax
from .bench import every, timed_line
from .ruler import beside_copies
from .without import launched

ROWS = 4096
CASES = every(columns=(131072, 65536, 32768, 16384, 8192), dtype=("float32", "bfloat16"))
COMPILES = True
COPY = {"passes": 0}
Line = timed_line(rows=int, columns=int, dtype=str, passes=int)  # 0 passes: the best copy


def measure(columns, dtype):
    ways, size = {3: three_pass_softmax, 2: two_pass_softmax}, getattr(torch, dtype).itemsize
    if columns <= WIDEST[size]:
        gpu = replace(gpu_of(torch.device("cuda", 0)), early=False)
        ways[1] = launched(alone(Shape(ROWS, columns, size, columns), gpu))
    for (passes, _), timing in beside_copies(ways, ROWS, columns, dtype, late=0, seconds=0.01, refused={}).items():
        yield Line(ROWS, columns, dtype, passes, **timing.us)
