"""How fast a matrix product is: the ceiling that kernels made of products can be held against."""

from dataclasses import dataclass

SIZES = (2048, 4096, 8192, 16384)
DTYPES = ("bfloat16", "float16")


@dataclass(frozen=True)
class Line:
    """Two square matrices, multiplied by cuBLAS. Microseconds, sustained."""

    dtype: str
    n: int
    median_us: float
    low_us: float
    high_us: float

    @property
    def teraflops(self) -> float:
        return 2 * self.n**3 / self.median_us / 1e6


def cases():
    return [{"dtype": dtype, "n": n} for dtype in DTYPES for n in SIZES]


def measure(dtype, n):
    import torch

    from .bench.stopwatch import compare

    def pairs():
        shape = 2, n, n
        return [torch.randn(shape, dtype=getattr(torch, dtype), device="cuda") for _ in range(3)]

    (timing,) = compare({"cublas": lambda pair: pair[0] @ pair[1]}, pairs, seconds=0.1).values()
    yield Line(dtype, n, **timing.us)
