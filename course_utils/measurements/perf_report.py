"""What `triton.testing.perf_report` tabulates: `do_bench` with quantiles, a curve for each provider."""

from functools import partial

import torch
from triton.testing import do_bench

from ..softmax import row_softmax
from .bench import every, timed_line

ROWS = 4096
QUANTILES = {"median_us": 0.5, "low_us": 0.2, "high_us": 0.8}
CASES = every(columns=(256, 1024, 4096, 16384))
Line = timed_line(columns=int, provider=str)


def measure(columns):
    x = torch.randn(ROWS, columns, device="cuda")
    for provider, function in {"row": row_softmax, "torch": lambda x: torch.softmax(x, 1)}.items():
        times = do_bench(partial(function, x), quantiles=tuple(QUANTILES.values()))
        yield Line(columns, provider, **{column: round(ms * 1e3, 3) for column, ms in zip(QUANTILES, times)})
