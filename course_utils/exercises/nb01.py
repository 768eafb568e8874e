"""The exercises and the questions of 01_naive_softmax."""

import math

import torch

from ..language import Text
from .engine import Exercise, Wrong
from .prediction import Option, Question
from .probes import close, number, tensor, torch_calls


def _row_softmax(answer):
    x = torch.tensor([[1.0, 2.0, 4.0, 1.5], [0.0, -1.0, 0.5, 3.0], [2.0, 2.0, 2.0, 2.5]])
    got = tensor(answer, x, shape=x.shape)
    exp, shifted = torch.exp(x), x - x.max(dim=1, keepdim=True)[0]
    mistakes = [
        (torch.softmax(x, 0), "你沿着列归一化了（dim=0）；要的是每一行加起来等于 1。", "You normalised the columns (dim=0); every row should sum to 1."),
        (torch.softmax(x.flatten(), 0).view_as(x), "你除以了整个矩阵的和；每一行要除以它自己的和。", "You divided by the sum of the whole matrix; each row has a sum of its own."),
        (torch.exp(shifted) / torch.exp(shifted).sum(), "你除以了整个矩阵的和；每一行要除以它自己的和。", "You divided by the sum of the whole matrix; each row has a sum of its own."),
        (torch.exp(shifted), "只差最后一步：还没有除以每一行的和。", "One step short: divide by the sum of each row."),
        (exp, "只差最后一步：还没有除以每一行的和。", "One step short: divide by the sum of each row."),
        (torch.log_softmax(x, 1), "这是 softmax 的对数；取 exp 就对了。", "This is the logarithm of softmax; take exp of it."),
        (x / x.sum(1, keepdim=True), "分数本身不是权重：先取 exp。", "The scores are not the weights: take exp first."),
    ]  # fmt: skip
    for wrong, zh, en in mistakes:
        if close(got, wrong):
            raise Wrong(zh, en)
    if not close(got, torch.softmax(x, 1)):
        raise Wrong("与 torch.softmax(x, dim=1) 不一致。", "It does not agree with torch.softmax(x, dim=1).")
    square = x[:, :3] * torch.tensor([[1.0], [3.0], [9.0]])
    if not close(tensor(answer, square, shape=square.shape), torch.softmax(square, 1)):
        raise Wrong(
            "方阵上错了：少了 [:, None]（或 keepdim=True），第 j 列减去或除以的是第 j 行的值。",
            "Wrong on a square matrix: without [:, None] (or keepdim=True), column j meets the value of row j.",
        )
    large = x + 1000
    if not close(tensor(answer, large, shape=x.shape), torch.softmax(large, 1)):
        raise Wrong(
            "分数是 1000 左右时溢出了：先减去这一行的最大值。",
            "It overflows at scores around 1000: subtract the row's maximum first.",
        )
    apart = x + torch.tensor([[0.0], [500.0], [-500.0]])
    if not close(tensor(answer, apart, shape=x.shape), torch.softmax(apart, 1)):
        raise Wrong(
            "各行相差很大时错了：减去的要是每一行自己的最大值，而不是整个矩阵的。",
            "Wrong when rows lie far apart: subtract each row's own maximum, not that of the whole matrix.",
        )
    spread = torch.tensor([[0.0, 100.0, 200.0], [200.0, 0.0, 100.0], [50.0, 150.0, -50.0]])
    if not close(tensor(answer, spread, shape=spread.shape), torch.softmax(spread, 1)):
        raise Wrong(
            "一行之内的分数相差 200 时错了：减去的要是这一行最大的数，不是最小的、平均的，也不是第一个。",
            "Wrong when the scores within a row are 200 apart: subtract the largest of the row, not the smallest, the mean or the first.",
        )
    if torch_calls(answer, x) & {"softmax", "special_softmax"}:
        raise Wrong(
            "结果都对，但这道题不许用现成的 softmax：用 exp、max 和 sum 把它写出来。",
            "All correct, but here a ready-made softmax is not allowed: write it with exp, max and sum.",
        )


def _highest_safe_score(answer):
    limits = {
        dtype: math.floor(math.log(torch.finfo(dtype).max)) for dtype in (torch.float16, torch.float32, torch.float64)
    }
    for dtype, want in limits.items():
        got, name = number(answer, dtype), str(dtype).removeprefix("torch.")
        if got == want:
            continue
        if got == torch.finfo(dtype).max:
            raise Wrong(
                f"{name}：这是最大的数本身。问的是 exp 之前的分数：对它取对数。",
                f"{name}: that is the largest number itself. The score comes before exp: take the logarithm.",
            )
        if got == want + 1:
            raise Wrong(
                f"{name}：多了 1。exp({want + 1}) 已经是 inf；要向下取整。",
                f"{name}: one too many. exp({want + 1}) is inf already; round down.",
            )
        if abs(got - math.log(torch.finfo(dtype).max)) < 1e-3:
            raise Wrong("要的是整数：向下取整。", "A whole number is asked for: round down.")
        if got == math.floor(math.log2(torch.finfo(dtype).max)) or got == math.floor(
            math.log10(torch.finfo(dtype).max)
        ):
            raise Wrong(f"{name}：底数是 e，用自然对数。", f"{name}: the base is e; use the natural logarithm.")
        if got in limits.values():
            raise Wrong(
                f"{name} 的上限是 {want}，不是 {got:g}：上限随 dtype 变，torch.finfo(dtype).max 说得出来。",
                f"For {name} it is {want}, not {got:g}: the limit depends on the dtype, and torch.finfo(dtype).max knows it.",
            )
        raise Wrong(f"{name} 应得 {want}，你给的是 {got:g}。", f"{name} should give {want}; you gave {got:g}.")


def _masked_softmax(answer):
    x = torch.tensor([[1.0, 2.0, 3.0, 0.5], [3.0, 1.0, 2.0, 2.0], [-30.0, -40.0, -31.0, -35.0]])
    keep = torch.tensor([[True, True, False, True], [False, True, True, False], [True, False, True, True]])
    want = torch.softmax(x.masked_fill(~keep, float("-inf")), 1)
    got = tensor(answer, x, keep, shape=x.shape)
    if close(got, torch.softmax(x, 1) * keep):
        raise Wrong(
            "先归一化再遮，剩下的加起来就不到 1 了：先遮，再归一化。",
            "Masked after normalising, what is left sums to less than 1: mask first, then normalise.",
        )
    if close(got, torch.softmax(x * keep, 1)) or close(got, torch.softmax(x.masked_fill(~keep, 0), 1)):
        raise Wrong(
            "填 0 不行：exp(0) = 1，被遮的位置照样分到概率。填 −inf。",
            "Filling with 0 does not do: exp(0) = 1, so masked places still get a share. Fill with −inf.",
        )
    if close(got, torch.softmax(x.masked_fill(keep, float("-inf")), 1)):
        raise Wrong("遮反了：keep 为 True 的要留下。", "Masked the wrong ones: those with keep True stay.")
    if torch.any(got[~keep] != 0):
        raise Wrong("被遮的位置应当正好是 0。", "The masked places should be exactly 0.")
    if not close(got, want):
        raise Wrong(
            "留下的概率不对：每一行留下的应当加起来等于 1。",
            "The probabilities that stay are wrong: in every row they should sum to 1.",
        )
    nothing = tensor(answer, x, torch.zeros_like(keep), shape=x.shape)
    if nothing.isnan().any():
        raise Wrong(
            "整行都被遮时得到了 NaN（−inf − (−inf)）；题目要的是全 0。",
            "A row with nothing kept gives NaN (−inf − (−inf)); all zeros are asked for.",
        )
    if nothing.any():
        raise Wrong(
            "整行都被遮时，每个位置都应当是 0；用 -1e9 这样的“大负数”会分成 1/N。",
            "With nothing kept every place should be 0; a “large negative number” such as -1e9 shares out 1/N.",
        )
    if not close(tensor(answer, x + 1000, keep, shape=x.shape), want):
        raise Wrong("分数是 1000 左右时溢出了。", "It overflows at scores around 1000.")
    if not close(tensor(answer, x + 200 * ~keep, keep, shape=x.shape), want):
        raise Wrong(
            "被遮的分数比留下的高 200 时错了，留下的都下溢成了 0：先遮，再求最大值（或 softmax）。",
            "Wrong when a masked score is 200 above those that stay, which underflow to 0: mask before taking the maximum (or softmax).",
        )
    deep, one = torch.full((3, 3), -1e30), torch.eye(3, dtype=torch.bool)
    if not close(tensor(answer, deep, one, shape=deep.shape), one.float()):
        raise Wrong(
            "留下的分数很低时错了：遮住用的“大负数”反而比它们大。填 −inf。",
            "Wrong when the scores that stay are very low: the “large negative number” you fill in is above them. Fill with −inf.",
        )


EXERCISES = {
    "row_softmax": Exercise(
        "row_softmax",
        _row_softmax,
        Text(
            "方阵、大分数、相差悬殊的行，都对。这就是后面每个内核要守住的答案。",
            "Right on square matrices, large scores and rows far apart. Every kernel to come has to match this.",
        ),
    ),
    "highest_safe_score": Exercise(
        "highest_safe_score",
        _highest_safe_score,
        Text(
            "float16 到 11 就到头了，所以半精度的 softmax 更离不开减最大值。",
            "float16 ends at 11: half precision needs the subtraction most.",
        ),
    ),
    "masked_softmax": Exercise(
        "masked_softmax",
        _masked_softmax,
        Text(
            "用 −inf 遮掉、整行为空时给 0：注意力里的掩码就是这样做的，03 的内核也用同一招。",
            "Masked with −inf, zeros where nothing is kept: attention masks work so, and the kernel of 03 uses the same trick.",
        ),
    ),
}


def _same(value: float, other: float) -> bool:
    return value == other or (math.isnan(value) and math.isnan(other))


def _pick(*values: float):
    """Which of these values the measured one is."""
    return lambda measured: next(k for k, value in enumerate(values) if _same(measured, value))


def _unshifted() -> float:
    x = torch.tensor([1000.0, 1000.0, 1000.0, 1000.0])
    return (torch.exp(x) / torch.exp(x).sum())[0].item()


QUESTIONS = {
    "overflow": Question(
        measure=_unshifted,
        options=lambda measured: [
            Option(
                Text("0.25：四个一样的分数，各占四分之一", "0.25: four equal scores share equally"),
                Text("数学上正是 0.25；但 float32 装不下 e¹⁰⁰⁰。", "In mathematics it is 0.25 exactly; but float32 cannot hold e¹⁰⁰⁰."),
            ),
            Option(
                Text("inf", "inf"),
                Text("e¹⁰⁰⁰ 确实变成了 inf；但接着还要除以一个 inf。", "e¹⁰⁰⁰ does become inf; but then it is divided by an inf."),
            ),
            Option(
                Text("nan", "nan"),
                Text("e¹⁰⁰⁰ 变成 inf，而 inf ÷ inf 没有意义。", "e¹⁰⁰⁰ becomes inf, and inf ÷ inf has no meaning."),
            ),
            Option(
                Text("0", "0"),
                Text("除以 inf 得 0，没错；但分子也是 inf。", "Dividing by inf gives 0, true; but the numerator is inf too."),
            ),
        ],
        right=_pick(0.25, math.inf, math.nan, 0.0),
        result=lambda measured: Text(f"PyTorch 给出的是 {measured}。", f"PyTorch says {measured}."),
    ),
    "hidden_row": Question(
        measure=lambda: torch.softmax(torch.full((1, 4), -math.inf), dim=1)[0, 0].item(),
        options=lambda measured: [
            Option(
                Text("0：什么都没有", "0: nothing is there"),
                Text("很合理的约定，有的库就这样做；但 PyTorch 不是。", "A sensible convention, and some libraries follow it; PyTorch does not."),
            ),
            Option(
                Text("0.25：平分", "0.25: an equal share"),
                Text("四个数相等，看上去该平分；可是 −inf − (−inf) 不是 0。", "Four equal numbers should share equally, it seems; but −inf − (−inf) is not 0."),
            ),
            Option(
                Text("nan", "nan"),
                Text("最大值是 −inf，减去它得 −inf − (−inf)，没有意义。", "The maximum is −inf, and −inf − (−inf) has no meaning."),
            ),
            Option(
                Text("−inf", "−inf"),
                Text("输入确实是 −inf；但输出是 exp 的商，不会是负的。", "The input is −inf, true; but the output is a quotient of exponentials, never negative."),
            ),
        ],
        right=_pick(0.0, 0.25, math.nan, -math.inf),
        result=lambda measured: Text(f"torch.softmax 给出的是 {measured}。", f"torch.softmax says {measured}."),
    ),
}  # fmt: skip
