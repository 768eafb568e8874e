"""The questions of 01_naive_softmax."""

import math

import torch

from ..language import Text
from .prediction import Options, Question


def _same(value: float, other: float) -> bool:
    return value == other or (math.isnan(value) and math.isnan(other))


def _pick(*values: float):
    """Which of these values the measured one is."""
    return lambda measured: next(k for k, value in enumerate(values) if _same(measured, value))


def _unshifted() -> float:
    x = torch.tensor([1000.0, 1000.0, 1000.0, 1000.0])
    return (torch.exp(x) / torch.exp(x).sum())[0].item()


OPTIONS = Options("""
overflow
0.25：四个一样的分数，各占四分之一 | 0.25: four equal scores share equally
数学上正是 0.25；但 float32 装不下 e¹⁰⁰⁰。
In mathematics it is 0.25 exactly; but float32 cannot hold e¹⁰⁰⁰.
inf | inf
e¹⁰⁰⁰ 确实变成了 inf；但接着还要除以一个 inf。
e¹⁰⁰⁰ does become inf; but then it is divided by an inf.
0 | 0
除以 inf 得 0，没错；但分子也是 inf。
Dividing by inf gives 0, true; but the numerator is inf too.
nan | nan
e¹⁰⁰⁰ 变成 inf，而 inf ÷ inf 没有意义。
e¹⁰⁰⁰ becomes inf, and inf ÷ inf has no meaning.

hidden_row
0：什么都没有 | 0: nothing is there
很合理的约定，有的库就这样做；但 PyTorch 不是。
A sensible convention, and some libraries follow it; PyTorch does not.
nan | nan
最大值是 −inf，减去它得 −inf − (−inf)，没有意义。
The maximum is −inf, and −inf − (−inf) has no meaning.
0.25：平分 | 0.25: an equal share
四个数相等，看上去该平分；可是 −inf − (−inf) 不是 0。
Four equal numbers should share equally, it seems; but −inf − (−inf) is not 0.
−inf | −inf
输入确实是 −inf；但输出是 exp 的商，不会是负的。
The input is −inf, true; but the output is a quotient of exponentials, never negative.
""")

QUESTIONS = {
    "overflow": Question(
        measure=_unshifted,
        options=OPTIONS["overflow"],
        right=_pick(0.25, math.inf, 0.0, math.nan),
        result=lambda measured: Text(f"PyTorch 给出的是 {measured}。", f"PyTorch says {measured}."),
    ),
    "hidden_row": Question(
        measure=lambda: torch.softmax(torch.full((1, 4), -math.inf), dim=1)[0, 0].item(),
        options=OPTIONS["hidden_row"],
        right=_pick(0.0, math.nan, 0.25, -math.inf),
        result=lambda measured: Text(f"torch.softmax 给出的是 {measured}。", f"torch.softmax says {measured}."),
    ),
}
