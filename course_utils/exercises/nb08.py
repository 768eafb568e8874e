"""What 08_online_softmax lets the learner predict, and how each result is found."""

import math

import torch

from ..backend import device
from ..language import Text
from .prediction import Options, Question


def _three_passes() -> float:
    """Elements loaded and stored, in units of MN."""
    from ..softmax import three_pass_kernel
    from ..traffic import ledger

    columns = 12
    x = torch.zeros(2, columns, device=device)
    y = torch.empty_like(x)
    with ledger() as book:
        three_pass_kernel[(2,)](y, x, columns, columns, columns, BLOCK_SIZE=4)
    return book.totals.elements / x.numel()


def _repaired() -> float:
    m, s = -math.inf, 0.0
    for x in (1, 3, 2, 4):
        m, s = max(m, x), s * 2.0 ** (m - max(m, x)) + 2.0 ** (x - max(m, x))
    return s


def _empty() -> float:
    low = torch.tensor(-math.inf)
    return (0.0 * torch.exp(low - torch.maximum(low, low)) + 0.0).item()


def _cached() -> float:
    """What share of the best copy two passes reach where a row fits, as recorded."""
    from ..measurements import measure

    return measure("passes", rows=4096, columns=8192, dtype="float32", passes=(2,), copy=True).share(2)


OPTIONS = Options("""
three_passes
2MN：读一遍，写一遍 | 2MN: read once, written once
那要整行都留在寄存器里；这里每一遍只留住一块。
That takes a row that stays in registers; here each pass keeps a single block.
3MN | 3MN
数一数循环：每个循环读一遍，最后一个还写一遍。
Count the loops: each reads the row once, and the last writes it as well.
4MN | 4MN
数一数循环：每个循环读一遍，最后一个还写一遍。
Count the loops: each reads the row once, and the last writes it as well.
6MN：每一遍又读又写 | 6MN: each pass reads and writes
只有最后一遍写；前面的结果是两个数，留在寄存器里。
Only the last pass writes; what the others find is two numbers, kept in registers.

repair
1.875：先减半，再加 1 | 1.875: halve it, then add 1
最大值大了 1，每一项都该小一半；和也就小一半。
The maximum grew by 1, so every term should be half as large, and so should their sum.
2.75：加上 1 | 2.75: add 1
旧的 1.75 是以 3 为最大值算的，不能直接与以 4 为最大值的 1 相加。
The old 1.75 was computed for a maximum of 3; it can't be added to a 1 that is measured against 4.
4.5：先加倍，再加 1 | 4.5: double it, then add 1
方向反了：最大值变大，减去它以后的指数变小。
The other way: with a larger maximum, the exponentials get smaller.
说不准：前三个数要重新读 | can't say: the first three must be read again
每一项该乘的系数都一样，提出来就行，不必知道各项是多少。
Every term needs the same factor, so it can be taken out of the sum; no need to know the terms.

empty
0：没有东西，加起来还是没有 | 0: nothing and nothing make nothing
这是该有的结果；可是系数里先要算 −∞ − (−∞)。
That is what it should be; but the factor needs −∞ − (−∞) first.
报错 | an error
浮点运算不报错，只给出 NaN，然后一路传下去。
Floating-point arithmetic raises no error; it gives NaN, and NaN travels on.
NaN | NaN
−∞ − (−∞) 没有定义，0 乘 NaN 也还是 NaN。
−∞ − (−∞) is undefined, and 0 times NaN is NaN as well.

cached
0.65，与 131072 列一样 | 0.65, as at 131072 columns
那要每一遍的字节都来自显存。
That takes all bytes of every pass to come from memory.
0.88 | 0.88
第二遍要的行刚读过，多数还在缓存里。
What the second pass wants has just been read, and most of it is still in the cache.
0.99，与复制一样 | 0.99, like the copy
缓存比显存快，可是第二遍也不是白来的。
The cache is faster than memory, but a second pass is not free.
""")

QUESTIONS = {
    "three_passes": Question(
        measure=_three_passes,
        options=OPTIONS["three_passes"],
        right=lambda moved: (2.0, 3.0, 4.0, 6.0).index(moved),
        result=lambda moved: Text(f"账本数到 {moved:g}MN。", f"The ledger counts {moved:g}MN."),
    ),
    "repair": Question(
        measure=_repaired,
        options=OPTIONS["repair"],
        right=lambda s: (1.875, 2.75, 4.5).index(s),
        result=lambda s: Text(f"s 变成 {s:g}。", f"s becomes {s:g}."),
    ),
    "empty": Question(
        measure=_empty,
        options=OPTIONS["empty"],
        right=lambda s: 2 if math.isnan(s) else 0,
        result=lambda s: Text(f"s 是 {s:g}。", f"s is {s:g}."),
    ),
    "cached": Question(
        measure=_cached,
        options=OPTIONS["cached"],
        right=lambda share: min(range(3), key=lambda k: abs(share - (0.65, 0.88, 0.99)[k])),
        result=lambda share: Text(f"录下的是 {share:.2f}。", f"{share:.2f} was recorded."),
    ),
}
