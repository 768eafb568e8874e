"""What 08_online_softmax lets the learner predict, and how each result is found."""

import math

import torch

from ..backend import device
from ..figures.reduction import SHAPES, leaves, merged, merges
from .prediction import questions


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


def _of_both_halves() -> float:
    m, s = merged((3.0, 1.25), (4.0, 1.25))
    return s


def _results() -> int:
    """How many pairs come out of one row, in many orders and trees."""
    found = set()
    for shape in SHAPES:
        for order in range(30):
            pairs = leaves(order)
            for k in merges(shape, order):
                pairs[k : k + 2] = [merged(pairs[k], pairs[k + 1])]
            found |= set(pairs)
    return len(found)


def _empty() -> float:
    low = torch.tensor(-math.inf)
    return (0.0 * torch.exp(low - torch.maximum(low, low)) + 0.0).item()


def _cached() -> float:
    """What share of the best copy two passes reach where a cache holds most of the rows in work, as recorded."""
    from ..measurements import measure

    return measure("passes", rows=4096, columns=32768, dtype="bfloat16", passes=(2,), copy=True).share(2)


QUESTIONS = questions(
    """
three_passes
账本数到 {:g}MN。 | The ledger counts {:g}MN.
2: 2MN：读一遍，写一遍 | 2MN: read once, written once
那要整行都留在寄存器里；这里每一遍只留住一块。
That takes a row that stays in registers; here each pass keeps a single block.
3: 3MN | 3MN
数一数循环：每个循环读一遍，最后一个还写一遍。
Count the loops: each reads the row once, and the last writes it as well.
4: 4MN | 4MN
数一数循环：每个循环读一遍，最后一个还写一遍。
Count the loops: each reads the row once, and the last writes it as well.
6: 6MN：每一遍又读又写 | 6MN: each pass reads and writes
只有最后一遍写；前面的结果是两个数，留在寄存器里。
Only the last pass writes; what the others find is two numbers, kept in registers.

halves
整行的和是 {:g}。 | The whole row's sum is {:g}.
2.5: 2.5：两个 1.25 相加 | 2.5: add the two 1.25
左半的 1.25 以 3 为准，右半的以 4 为准，不能直接加。
The left 1.25 is measured from 3 and the right one from 4: they can't just be added.
1.875: 1.875 | 1.875
左半改成以 4 为准，每一项都小一半；0.625 加 1.25。
Measured from 4, every term of the left half is half as large: 0.625 and 1.25.
–: 要重读左半 | can't say: the left half must be read again
每一项该乘的系数都一样，提出来就行，不必知道各项是多少。
Every term needs the same factor, so it can be taken out of the sum; no need to know the terms.

order
随机试 90 种合并法，得到 {} 种结果。 | 90 random ways of merging, {} result.
1: 一种 | one
每一对都代表一个数，合并就是相加。
Every pair stands for a number, and merging is adding.
3: 两三种，看最大的数什么时候来 | two or three: it matters when the largest number comes
最大的数来得早，少补救几次；结果一样。
If it comes early, less is repaired; the result is the same.
30: 几十种 | dozens
次序和树形有几千种；去下面试几种。
There are thousands of orders and trees; try some of them below.

empty
s 是 {:g}。 | s is {:g}.
0: 0：没有东西，加起来还是没有 | 0: nothing and nothing make nothing
这是该有的结果；可是系数里先要算 −∞ − (−∞)。
That is what it should be; but the factor needs −∞ − (−∞) first.
–: 报错 | an error
浮点运算不报错，只给出 NaN，然后一路传下去。
Floating-point arithmetic raises no error; it gives NaN, and NaN travels on.
nan: NaN | NaN
−∞ − (−∞) 没有定义，0 乘 NaN 也还是 NaN。
−∞ − (−∞) is undefined, and 0 times NaN is NaN as well.

cached
录下的是 {:.2f}。 | {:.2f} was recorded.
0.65: 0.65，与 131072 列一样 | 0.65, as at 131072 columns
那要每一遍的字节都来自显存；算一算正在做的行有多大。
That takes all bytes of both passes to come from memory. How large are the rows in work?
0.89: 0.89 | 0.89
字节减半，正在做的行又是 16.5 MiB，与 8192 列的 float32 一样。
With half the bytes, the rows in work are 16.5 MiB again, as with 8192 columns of float32.
0.99: 0.99，与复制一样 | 0.99, like the copy
缓存比显存快，可是第二遍也不是白来的。
The cache is faster than memory, but a second pass is not free.
""",
    three_passes=_three_passes,
    halves=_of_both_halves,
    order=_results,
    empty=_empty,
    cached=_cached,
)
