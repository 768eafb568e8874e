"""The exercises and the questions of 01_naive_softmax."""

import math

import torch

from ..language import Text
from .exercise import Exercise
from .formulas import Formula
from .prediction import Options, Question
from .sayings import Sayings
from .tensor_formulas import TensorFormula

SAYS = Sayings("""
highest_safe_score
float16 到 11 就到头了，所以半精度的 softmax 更离不开减最大值。
float16 ends at 11: half precision needs the subtraction most.

largest number
这是最大的数本身。问的是 exp 之前的分数，它的 exp 才是这么大。
That is the largest number itself. The score comes before exp; its exp is what may be that large.

rounded up
多了 1：这个分数的 exp 已经是 inf。
One too many: the exp of that score is inf already.

one below
少了 1：再高 1 分，exp 也还不是 inf。
One too few: a score higher by 1 is not inf yet either.

unrounded
数没有错，但题目要的是整数分数。
The value is right, but a whole score is asked for.

other base
底数是 e：log2 和 log10 求的是别的底数的对数。
The base is e: log2 and log10 are logarithms to other bases.

one type
不论 dtype 是什么，你给的都是同一个数；每种类型装得下的数不一样大。
You give the same number whatever dtype is; how large a number fits differs from type to type.

smallest number
这是按最小的正数（tiny）或精度（eps）算的；什么时候成为 inf，由最大的数决定。
That comes from the smallest number (tiny) or the precision (eps); when it turns into inf is up to the largest.

masked_softmax
用 −inf 遮掉、整行为空时给 0：注意力里的掩码就是这样做的，03 的 kernel 也用同一招。
Masked with −inf, zeros where nothing is kept: attention masks work so, and the kernel of 03 uses the same trick.

masked too late
先归一化再遮，剩下的加起来就不到 1 了。
Masked after normalising, what is left sums to less than 1.

filled with zero
填 0 不行：exp(0) = 1，被遮的位置照样分到概率。
Filling with 0 does not do: exp(0) = 1, so masked places still get a share.

zeroed afterwards
填了 0 再置 0，晚了：exp(0) = 1 已经算进了分母，剩下的加起来不到 1。
Filled with 0 and zeroed afterwards, too late: exp(0) = 1 is in the denominator already, and what is left sums to less than 1.

wrong ones
遮反了：keep 为 True 的要留下。
Masked the wrong ones: those with keep True stay.

nan row
整行都被遮时得到了 NaN（−inf − (−inf)）；题目要的是全 0。
A row with nothing kept gives NaN (−inf − (−inf)); all zeros are asked for.

large negative
整行都被遮时，每个位置都应当是 0；填一个“大负数”，它们会平分概率。
With nothing kept every place should be 0; filled with a “large negative number”, they share the probability.

not low enough
留下的分数很低时错了：填的“大负数”反而比它们大。
Wrong when the scores that stay are very low: the “large negative number” you fill in is above them.

exp of masked
分数是 1000 左右时溢出了：掩码没有问题，但 exp 之前没有减去最大值。
It overflows at scores around 1000: the mask is fine, but no maximum is subtracted before exp.

maximum too early
被遮的分数比留下的高 200 时错了，留下的都下溢成了 0：被遮的分数不能参加求最大值（或 softmax）。
Wrong when a masked score is 200 above those that stay, which underflow to 0: what is masked must not take part in the maximum (or the softmax).

columns masked
你沿着列归一化了（dim=0）；留下的分数，每一行加起来等于 1。
You normalised the columns (dim=0); what is kept should sum to 1 in every row.
""")


# ---- how high a score survives


def _limit(dtype) -> float:
    return math.log(torch.finfo(dtype).max)


_TYPES = (torch.float16, torch.float32, torch.float64)

_highest_safe_score = Formula(
    SAYS,
    lambda dtype: math.floor(_limit(dtype)),
    [(dtype,) for dtype in _TYPES],
    [
        ("largest number", lambda dtype: torch.finfo(dtype).max),
        ("unrounded", _limit),
        *[("rounded up", lambda dtype, to=to: to(_limit(dtype))) for to in (math.ceil, round)],
        ("one below", lambda dtype: math.floor(_limit(dtype)) - 1),
        *[
            ("other base", lambda dtype, f=f, r=r: r(f(torch.finfo(dtype).max)))
            for f in (math.log2, math.log10)
            for r in (math.floor, math.ceil, float)
        ],
        *[("one type", lambda dtype, only=only: math.floor(_limit(only))) for only in (*_TYPES, torch.bfloat16)],
        *[
            ("smallest number", lambda dtype, of=of, sign=sign: math.floor(sign * math.log(of(torch.finfo(dtype)))))
            for of in (lambda info: info.tiny, lambda info: info.eps)
            for sign in (1, -1)
        ],
    ],
    asked=lambda dtype: str(dtype).removeprefix("torch."),
    share=1e-12,
)


# ---- a softmax with a mask


def _filled(x, keep, value):
    return torch.softmax(x.masked_fill(~keep, value), 1)


def _masked_after_exp(x, keep, top):
    weights = torch.exp(x - top(x)) * keep
    return weights / weights.sum(1, keepdim=True)


def _masked_right(x, keep):
    return _filled(x, keep, -math.inf).masked_fill(~keep.any(1, keepdim=True), 0)


def _either(formula):
    """A formula, and the same with zeros where it gives NaN: those who forget the one may mind the other."""
    return [formula, lambda x, keep: formula(x, keep).nan_to_num(0)]


_X = torch.tensor([[1.0, 2.0, 3.0, 0.5], [3.0, 1.0, 2.0, 2.0], [-30.0, -40.0, -31.0, -35.0]])
_KEEP = torch.tensor([[True, True, False, True], [False, True, True, False], [True, False, True, True]])
_ONE = torch.eye(3, dtype=torch.bool)
_LARGE = (-1e2, -1e3, -1e4, -1e5, -1e6, -1e9, -1e10, -1e20, -1e30, -1e38, torch.finfo(torch.float32).min)

_masked_softmax = TensorFormula(
    SAYS,
    _masked_right,
    [
        (Text("3 行 4 列", "3 rows, 4 columns"), (_X, _KEEP)),
        (Text("一个都没有遮", "Nothing masked"), (_X, torch.ones_like(_KEEP))),
        (Text("全部遮掉", "Everything masked"), (_X, torch.zeros_like(_KEEP))),
        (Text("分数在 1000 左右", "Scores around 1000"), (_X + 1000, _KEEP)),
        (Text("被遮的分数高出 200", "Masked scores 200 higher"), (_X + 200 * ~_KEEP, _KEEP)),
        (Text("分数都是 −10³⁰", "All scores at −10³⁰"), (torch.full((3, 3), -1e30), _ONE)),
        (Text("3 行 1 列", "3 rows, 1 column"), (_X[:, :1], _KEEP[:, :1])),
    ],
    [
        ("masked too late", lambda x, keep: torch.softmax(x, 1) * keep),
        ("filled with zero", lambda x, keep: _filled(x, keep, 0)),
        ("filled with zero", lambda x, keep: _filled(x, keep, 0).masked_fill(~keep.any(1, keepdim=True), 0)),
        *[("wrong ones", f) for f in _either(lambda x, keep: _filled(x, ~keep, -math.inf))],
        ("nan row", lambda x, keep: _filled(x, keep, -math.inf)),
        *[("large negative", lambda x, keep, low=low: _filled(x, keep, low)) for low in _LARGE],
        *[("not low enough", lambda x, keep, low=low: _filled(x, keep, low) * keep) for low in _LARGE],
        *[("zeroed afterwards", lambda x, keep, low=low: _filled(x, keep, low) * keep) for low in (0, 1, -1)],
        *[("exp of masked", f) for f in _either(lambda x, keep: _masked_after_exp(x, keep, lambda x: 0))],
        *[
            ("maximum too early", f)
            for f in _either(lambda x, keep: _masked_after_exp(x, keep, lambda x: x.amax(1, keepdim=True)))
        ],
        *[("columns masked", f) for f in _either(lambda x, keep: torch.softmax(x.masked_fill(~keep, -math.inf), 0))],
    ],
)

EXERCISES = {
    name: Exercise(name, grader, SAYS[name])
    for name, grader in {
        "highest_safe_score": _highest_safe_score,
    }.items()
}


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
