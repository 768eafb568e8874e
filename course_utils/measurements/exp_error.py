"""How far `tl.exp` and `tl.exp2` are from the exponential in float64: the largest relative error, by how far the argument is below 0.

Both end in one approximate instruction, `ex2`. The argument of exp is first multiplied by log₂e, and rounded: the larger it is, the more
that costs.
"""

from dataclasses import dataclass

from ..backend import tl, triton

LOWEST, COUNT, BLOCK = (-1.0, -10.0, -80.0), 1 << 22, 1024


@dataclass(frozen=True)
class Line:
    function: str  # exp, exp2, and torch's own exp
    low: float  # arguments are between here and 0
    relative: float  # the largest |error ÷ result|


@triton.jit
def exp_kernel(y_ptr, x_ptr, TWO: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i)
    y = tl.exp2(x) if TWO else tl.exp(x)
    tl.store(y_ptr + i, y)


def cases():
    return [{"low": low} for low in LOWEST]


def measure(low, device="cuda", count=COUNT):
    import torch

    x = torch.linspace(low, 0, count, device=device)
    for function, right in (("exp", torch.exp), ("exp2", torch.exp2), ("torch.exp", torch.exp)):
        y, exact = torch.empty_like(x), right(x.double())
        if function == "torch.exp":
            y = torch.exp(x)
        else:
            exp_kernel[(count // BLOCK,)](y, x, TWO=function == "exp2", BLOCK=BLOCK)
        yield Line(function, low, float(f"{((y.double() - exact) / exact).abs().max().item():.2e}"))
