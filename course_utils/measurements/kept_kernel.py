"""A compiled kernel, kept and launched with another number of rows: how many of 100 rows come out right."""

import torch

from ..softmax import grid_stride_kernel
from .bench import every, line_of

ROWS, COLUMNS, PROGRAMS = 100, 1024, 4
CASES = every(compiled_for=(ROWS, 1))
Line = line_of(compiled_for=int, right=int)  # rows


def measure(compiled_for):
    x = torch.randn(ROWS, COLUMNS, device="cuda")
    y = torch.zeros_like(x)
    constants = {"BLOCK_SIZE": COLUMNS, "STAGES": 2}
    kept = grid_stride_kernel.warmup(y, x, COLUMNS, COLUMNS, compiled_for, COLUMNS, **constants, grid=(PROGRAMS,))
    kept._init_handles()
    kept[PROGRAMS, 1, 1](y, x, COLUMNS, COLUMNS, ROWS, COLUMNS, *constants.values())
    yield Line(compiled_for, torch.isclose(y, torch.softmax(x, 1)).all(1).sum().item())
