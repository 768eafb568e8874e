"""The questions of 10_training, each measured when it is asked."""

import torch

from ..backend import device, tl, triton
from ..softmax import softmax_backward
from ..traffic import ledger
from .prediction import questions


@triton.jit
def _padded_kernel(dx_ptr, dy_ptr, y_ptr, n_cols, padding, BLOCK_SIZE: tl.constexpr):
    columns = tl.arange(0, BLOCK_SIZE)
    mask = columns < n_cols
    y = tl.load(y_ptr + columns, mask=mask, other=padding)
    dy = tl.load(dy_ptr + columns, mask=mask, other=padding)
    tl.store(dx_ptr + columns, y * (dy - tl.sum(y * dy, axis=0)), mask=mask)


def _nudged() -> float:
    x = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64)
    step = torch.tensor([1e-6, 0, 0], dtype=torch.float64)
    return ((torch.softmax(x + step, 0) - torch.softmax(x, 0)) / 1e-6)[2].item()


def _floor() -> float:
    y = torch.softmax(torch.randn(6, 100, device=device), 1)
    with ledger() as book:
        softmax_backward(y, y)
    return book.totals.elements / y.numel()


def _padded_with_minus_infinity() -> float:
    y = torch.softmax(torch.tensor([1.0, 2.0, 3.0], device=device), 0)
    dx = torch.empty_like(y)
    _padded_kernel[(1,)](dx, torch.ones_like(y), y, 3, -float("inf"), BLOCK_SIZE=4)
    return dx[0].item()


def _logarithm_of_nothing() -> float:
    return torch.log(torch.softmax(torch.tensor([0.0, -200.0]), 0))[1].item()


def _rounded_first() -> float:
    return (torch.tensor(0.999).bfloat16() - 1).item()


def _peak() -> float:
    """GiB that `linear_loss` takes at most, as recorded on an H100."""
    from ..measurements import recorded

    (line,) = recorded("linear_loss", provider="course")
    return line.peak_mib / 2**10


QUESTIONS = questions(
    """
nudge
变化率是 {:.4f}。 | It changes at a rate of {:.4f}.
0: 不变：只动了第一个 | nothing: only the first was moved
分母里有第一个分数，谁也躲不开。
The first score is in the denominator of all three.
0.06: 变大 | it rises
三个加起来总是 1，第一个多了，别的只能少。
The three always sum to 1: if the first gains, the others lose.
-0.06: 变小 | it falls
加起来总是 1，第一个多了，别的按自己的份额让出来。
They sum to 1: what the first gains, the others give up, each in proportion to its size.

floor
账本数出来是 {:g}MN。 | The ledger counts {:g}MN.
2: 2MN：和前向一样 | 2MN, as forwards
前向读一个矩阵；反向要读两个，y 和 dy。
Forwards one matrix is read; backwards two are: y and dy.
3: 3MN | 3MN
读 y、读 dy、写 dx，各一遍。
Read y, read dy, write dx: once each.
4: 4MN：还要读 x | 4MN: x is read too
公式里没有 x，只有 y：前向的结果已经够了。
There is no x in the formula, only y: the result of the forward pass is enough.
5: 5MN：求和要先走一遍 | 5MN: the sum takes a round of its own
一行装得进寄存器，就不必走第二遍。
As long as a row fits into registers, it need not go by twice.

padding
第一个梯度是 {:g}。 | The first gradient is {:g}.
-inf: inf 或 nan | inf or nan
和里进来一个 +inf，整行都坏了。
A +inf enters the sum, and the whole row is lost.
0: 梯度全是 0 | every gradient is 0
要是和为 0 才会；−inf 乘 −inf 是 +inf。
That would take a sum of 0; −inf times −inf is +inf.
–: 没有问题：前向就是这样填的 | no problem: the forward pass did the same
前向里它要经过 exp，变成 0；这里没有 exp。
Forwards it passes through exp and becomes 0; here there is no exp.

underflow
得到的是 {:g}。 | It gives {:g}.
-200: −200 | −200
数学上是；可是 e⁻²⁰⁰ 在 float32 里是 0。
So says mathematics; but in float32 e⁻²⁰⁰ is 0.
-103: 约 −103：float32 最小的数的对数 | about −103, the logarithm of float32's smallest number
比最小的数还小，就成了 0，不会停在最小的数上。
What is smaller than the smallest number becomes 0; it does not stop there.
nan: nan | nan
前向还不是；反向才是。
Not forwards; backwards it will be.
-inf: −inf | −inf
概率下溢成 0，log 0 就是 −inf。
The probability underflows to 0, and log 0 is −inf.

rounded
得到的是 {:g}：相对误差 100%。 | It gives {:g}: a relative error of 100 %.
0: 0 | 0
0.999 先舍入成 1，再减 1，什么也没剩下。
0.999 is rounded to 1 first; minus 1, nothing is left.
-0.00098: −0.00098，末位差一点 | −0.00098, off in the last place
bfloat16 存不下 0.999，最近的是 1。
bfloat16 has no 0.999; the nearest it has is 1.
-0.001: −0.001 | −0.001
float32 里是；bfloat16 在 1 附近每步是 2⁻⁸ 或更多。
In float32; near 1, bfloat16 moves in steps of 2⁻⁸ or more.

peak
H100 上录下的是 {:.3g} GiB。 | Recorded on an H100: {:.3g} GiB.
12: 约 12 GiB | about 12 GiB
一份完整的分数也没有了，在显存里的只有一块。
Not one full copy of the scores is left, only a chunk of them.
3.5: 约 3.5 GiB | about 3.5 GiB
float32 的 dW 是 2 GiB，4096 行的分数是 1 GiB。
dW in float32 is 2 GiB, and the scores of 4096 rows are 1 GiB.
1: 约 1 GiB | about 1 GiB
4096 行的分数就有 1 GiB，可是整个 dW 也要在显存里。
That is what the scores of 4096 rows take, but all of dW must be there as well.
""",
    nudge=_nudged,
    floor=_floor,
    padding=_padded_with_minus_infinity,
    underflow=_logarithm_of_nothing,
    rounded=_rounded_first,
    peak=_peak,
)
