"""The questions of 02_memory_traffic."""

import torch

from ..traffic import ledger
from .prediction import questions


def _subtract_reads() -> int:
    x = torch.ones(3, 4)
    row_max = x.amax(dim=1)[:, None]
    with ledger() as book:
        x - row_max
    return book.totals.read.elements


QUESTIONS = questions(
    """
subtract
账本数到 {} 个。 | The ledger counts {}.
3: 3：只有最大值 | 3: the maxima alone
矩阵上一步刚读过，可它早已不在手边：12 个元素要再读一遍。
The matrix was read a step ago, but it is no longer at hand: its 12 elements are read again.
12: 12：整个矩阵 | 12: the whole matrix
矩阵确实要读；可最大值也得从显存读回来。
The matrix is read, true; but so are the maxima, from memory.
15: 15：矩阵，加上每行一个最大值 | 15: the matrix, and one maximum a row
广播不会把最大值真的复制成矩阵：读 3 个就够。
Broadcasting does not really copy the maxima into a matrix: 3 reads will do.
24: 24：两个同样大的矩阵 | 24: two matrices of equal size
形状上是两个 3×4 相减，没错；但铺开只是说法，显存里只有 3 个最大值。
By shape it is 3×4 minus 3×4, true; but the stretching is a manner of speaking, and memory holds 3 maxima.
""",
    subtract=_subtract_reads,
)
