"""Inputs on which right and wrong row kernels differ, one trap each."""

import math
from dataclasses import dataclass

import torch

from ..language import Text
from .kernel_probes import PLAIN, Layout
from .sayings import Sayings

ASKED = Sayings("""
square
8 行 8 列
8 rows, 8 columns

cut, nothing to mask
从 12 列里切出的 8 列
8 columns cut out of 12

spare, nothing to mask
8 列，输出的每行后面还有 4 个别人的元素
8 columns, with 4 foreign elements behind each row of the output

rows
3 行 5 列
3 rows, 5 columns

low
3 行 5 列，分数减 20
3 rows, 5 columns, scores lowered by 20

high
分数在 1000 左右
Scores around 1000

apart
分数相差几百
Scores hundreds apart

cut
从 7 列里切出的 5 列
5 columns cut out of 7

spare
5 列，输出的每行后面还有 3 个别人的元素
5 columns, with 3 foreign elements behind each row of the output

both
5 列，输入和输出的步幅不同
5 columns, with different strides in input and output

alike
从 7 列里切出的 5 列，输出的步幅也是 7
5 columns cut out of 7, and an output with the same stride

width
{zh}
{en}

steep
分数低到 −10³⁸
Scores as low as −10³⁸

special
分数里有 −inf 和 NaN
Scores with −inf and NaN

half
float16 的分数
Scores in float16

brain
bfloat16 的分数
Scores in bfloat16
""")


@dataclass(frozen=True)
class Probe:
    """An input, how the output lies, what is special about them, and how far a right result may stray."""

    says: Text
    x: torch.Tensor
    output: Layout = PLAIN
    relative: float = 1e-4
    absolute: float = 1e-6


def agree(got: torch.Tensor, want: torch.Tensor, probe: Probe) -> bool:
    return torch.allclose(got.float(), want.float(), rtol=probe.relative, atol=probe.absolute, equal_nan=True)


ROWS = torch.tensor([[2.0, -1.0, 0.5, 1.0, -0.5], [4.0, 3.0, 5.0, 3.5, 4.5], [-2.0, 0.0, -3.0, 1.0, 2.0]])
SQUARE = torch.cat([torch.cat([ROWS, ROWS.flip(0)], dim=1)[:, :8] + shift for shift in (0.0, 0.7, -0.4)])[:8]
SPECIAL = torch.tensor([[1.0, -math.inf, 2.0, 0.0, 1.0], [-math.inf] * 5, [1.0, 2.0, math.nan, 0.0, 1.0]])
STEEP = torch.tensor([1.0, 1.1, 1.2, 1.3, 1.4]) * torch.tensor([[-1e38], [-2e38], [-1.5e38]])


def among(x: torch.Tensor, spare: int) -> torch.Tensor:
    """The same matrix, with foreign elements behind each row."""
    return torch.cat([x, torch.full((len(x), spare), 9.0, dtype=x.dtype)], dim=1)[:, : x.shape[1]]


def _width(n: int) -> Probe:
    x = torch.randn(3, n, generator=torch.Generator().manual_seed(n))
    says = ASKED.say("width", zh=f"{n} 列", en=f"{n} column{'s' * (n > 1)}")
    return Probe(says, x, absolute=1e-6) if n > 1 else Probe(says, x, relative=1e-7, absolute=1e-8)


def row_probes() -> list[Probe]:
    """The first three have nothing to mask, so that strides show by themselves."""
    return [
        Probe(ASKED["square"], SQUARE),
        Probe(ASKED["cut, nothing to mask"], among(SQUARE[:3], 4)),
        Probe(ASKED["spare, nothing to mask"], SQUARE[:3], Layout(spare=4)),
        Probe(ASKED["rows"], ROWS),
        Probe(ASKED["low"], ROWS - 20),
        Probe(ASKED["high"], ROWS + 1000, relative=5e-4, absolute=2e-4),
        Probe(ASKED["apart"], ROWS * 100),
        Probe(ASKED["cut"], among(ROWS, 2)),
        Probe(ASKED["spare"], ROWS, Layout(spare=3)),
        Probe(ASKED["both"], among(ROWS, 6), Layout(spare=2)),
        Probe(ASKED["alike"], among(ROWS, 2), Layout(spare=2)),
        *map(_width, (1, 2, 16, 127, 128, 129, 781, 1024, 1025)),
        Probe(ASKED["steep"], STEEP),
        Probe(ASKED["special"], SPECIAL),
        Probe(ASKED["half"], ROWS.half(), relative=2e-3, absolute=1e-4),
        Probe(ASKED["brain"], ROWS.bfloat16(), relative=1e-2, absolute=1e-3),
    ]
