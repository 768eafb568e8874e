"""How fast a matrix product is: the ceiling that kernels made of products can be held against."""

import torch

from .bench import compare, every, timed_line

CASES = every(dtype=("bfloat16",), n=(2048, 4096, 8192, 16384))


class Line(timed_line(dtype=str, n=int)):
    """Two square matrices, multiplied by cuBLAS, sustained."""

    @property
    def teraflops(self) -> float:
        return 2 * self.n**3 / self.median_us / 1e6


def measure(dtype, n):
    def pairs():
        return [torch.randn(2, n, n, dtype=getattr(torch, dtype), device="cuda") for _ in range(3)]

    (timing,) = compare({"cublas": lambda pair: pair[0] @ pair[1]}, pairs, seconds=0.1).values()
    yield Line(dtype, n, **timing.us)
