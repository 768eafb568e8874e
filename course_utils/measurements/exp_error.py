"""How far `tl.exp` and `tl.exp2` are from the exponential in float64: the largest relative error, by how far the argument is below 0.

Both end in one approximate instruction, `ex2`. The argument of exp is first multiplied by log₂e, and rounded: the larger it is, the more
that costs.
"""

from dataclasses import dataclass

import torch

from ..backend import tl, triton
from .bench import every

COUNT, BLOCK = 1 << 22, 1024
CASES = every(low=(-1.0, -10.0, -80.0))


@dataclass(frozen=True)
class Line:
    function: str  # exp, exp2
    low: float  # arguments are between here and 0
    relative: float  # the largest |error ÷ result|


@triton.jit
def exp_kernel(y_ptr, x_ptr, TWO: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i)
    y = tl.exp2(x) if TWO else tl.exp(x)
    tl.store(y_ptr + i, y)


def measure(low):
    x = torch.linspace(low, 0, COUNT, device="cuda")
    for function in (torch.exp, torch.exp2):
        y, exact = torch.empty_like(x), function(x.double())
        exp_kernel[(COUNT // BLOCK,)](y, x, TWO=function is torch.exp2, BLOCK=BLOCK)
        relative = ((y.double() - exact) / exact).abs().max().item()
        yield Line(function.__name__, low, float(f"{relative:.2e}"))
