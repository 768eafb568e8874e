"""The questions of 01_naive_softmax."""

import math

import torch

from ..measurements import recorded
from .prediction import questions


def _unshifted() -> float:
    x = torch.tensor([1000.0, 1000.0, 1000.0, 1000.0])
    return (torch.exp(x) / torch.exp(x).sum())[0].item()


def _slowest() -> tuple[str, str]:
    """Which of the five calls is the slowest, as recorded: its kind and its name."""
    kinds = {"max": "reductions", "sum": "reductions", "exp": "exp", "subtract": "arithmetic", "divide": "arithmetic"}
    call = max((line for line in recorded("five_calls") if line.call in kinds), key=lambda line: line.median_us).call
    return kinds[call], call


QUESTIONS = questions(
    """
slowest
录下的最慢的是 {1}。 | The slowest that was recorded is {1}.
reductions: `max` 或 `sum`，要把一整行归成一个数 | `max` or `sum`, which make one number of a whole row
归约只读不写，搬的字节最少，所以最快。
A reduction only reads: it moves the fewest bytes and is the fastest.
exp: `exp`，别的都是简单的算术 | `exp`: the others are simple arithmetic
指数确实最难算；可它在等数据的时候就算完了。
An exponential is the hardest to compute; but it is done while the data is still on its way.
arithmetic: 减或除 | subtracting or dividing
这两行还要用上一列数，每行一个；为什么慢，最后一节来查。
These two also use a column of numbers, one a row; the last section finds out why that is slow.
all: 都一样，每个都读一整个矩阵 | all alike: each reads the whole matrix
都读一遍，没错；但有三个还要写一遍。
All of them read it, true; but three of them also write one.

overflow
PyTorch 给出的是 {}。 | PyTorch says {}.
0.25: 0.25：四个一样的分数，各占四分之一 | 0.25: four equal scores share equally
数学上正是 0.25；但 float32 装不下 e¹⁰⁰⁰。
In mathematics it is 0.25 exactly; but float32 cannot hold e¹⁰⁰⁰.
inf: inf | inf
e¹⁰⁰⁰ 确实变成了 inf；但接着还要除以一个 inf。
e¹⁰⁰⁰ does become inf; but then it is divided by an inf.
0: 0 | 0
除以 inf 得 0，没错；但分子也是 inf。
Dividing by inf gives 0, true; but the numerator is inf too.
nan: nan | nan
e¹⁰⁰⁰ 变成 inf，而 inf ÷ inf 没有意义。
e¹⁰⁰⁰ becomes inf, and inf ÷ inf has no meaning.

hidden_row
torch.softmax 给出的是 {}。 | torch.softmax says {}.
0: 0：什么都没有 | 0: nothing is there
很合理的约定，有的库就这样做；但 PyTorch 不是。
A sensible convention, and some libraries follow it; PyTorch does not.
nan: nan | nan
最大值是 −inf，减去它得 −inf − (−inf)，没有意义。
The maximum is −inf, and −inf − (−inf) has no meaning.
0.25: 0.25：平分 | 0.25: an equal share
四个数相等，看上去该平分；可是 −inf − (−inf) 不是 0。
Four equal numbers should share equally, it seems; but −inf − (−inf) is not 0.
-inf: −inf | −inf
输入确实是 −inf；但输出是 exp 的商，不会是负的。
The input is −inf, true; but the output is a quotient of exponentials, never negative.
""",
    slowest=_slowest,
    overflow=_unshifted,
    hidden_row=lambda: torch.softmax(torch.full((1, 4), -math.inf), dim=1)[0, 0].item(),
)
