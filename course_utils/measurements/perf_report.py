"""What `triton.testing.perf_report` tabulates: `do_bench` with quantiles, a curve for each provider."""

from dataclasses import dataclass
from functools import partial

ROWS = 4096
WIDTHS = (256, 512, 1024, 2048, 4096, 8192, 16384)
QUANTILES = (0.5, 0.2, 0.8)


@dataclass(frozen=True)
class Line:
    columns: int
    provider: str
    median_us: float
    low_us: float
    high_us: float


def cases():
    return [{"columns": columns} for columns in WIDTHS]


def measure(columns):
    import torch
    from triton.testing import do_bench

    from ..softmax import row_softmax

    x = torch.randn(ROWS, columns, device="cuda")
    for provider, function in {"row": row_softmax, "torch": lambda x: torch.softmax(x, 1)}.items():
        times = do_bench(partial(function, x), quantiles=QUANTILES)
        yield Line(columns, provider, *(round(ms * 1e3, 3) for ms in times))
