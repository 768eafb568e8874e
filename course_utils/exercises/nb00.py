"""The question of 00_start_here."""

from .prediction import questions


def _count_naive() -> float:
    import torch

    from ..softmax import naive_softmax
    from ..traffic import ledger

    x = torch.zeros(64, 1024)
    with ledger() as book:
        naive_softmax(x)
    return book.totals.bytes / (2 * x.nbytes)


QUESTIONS = questions(
    """
times
账本数出来的是 {:.2f} 倍。 | The ledger counts {:.2f} times.
10: 大约 10 倍 | about 10 times
方向对：每一步都要搬整个矩阵；但五步没有那么多趟。
The direction is right, every step moves the matrix; but five steps are not that many trips.
4: 大约 4 倍 | about 4 times
五步把整个矩阵读了五遍、写了三遍，一共八遍；理想的写法只读一遍、写一遍。
The five steps read the matrix five times and write it three times, eight in all; the ideal reads it once and writes it once.
2: 大约 2 倍 | about 2 times
中间结果确实要多走一趟；只是不止一个中间结果。
A result in between does travel twice; but there is more than one of them.
1: 一样多：算的是同一个函数 | the same: it is the same function
数学上确实是同一个函数；但中间结果也要写进内存、再读回来。
It is the same function, true; but the results in between are written to memory and read back.
""",
    times=_count_naive,
)
