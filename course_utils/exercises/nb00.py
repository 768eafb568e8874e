"""The exercise and the question of 00_start_here."""

import math

from ..language import Text
from .formulas import Formula
from .prediction import Options, Question
from .sayings import Sayings

SAYS = Sayings("""
best_milliseconds
字节数除以带宽，就是谁也快不过去的下限。
Bytes over bandwidth: the floor that no kernel gets under.

seconds
这是秒，题目要的是毫秒。
Those are seconds; milliseconds are asked for.

microseconds
这是微秒，题目要的是毫秒。
Those are microseconds; milliseconds are asked for.

binary
带宽里的 GB 是 10⁹ 字节，不是 2³⁰（那叫 GiB）。
A GB of bandwidth is 10⁹ bytes, not 2³⁰ (that is a GiB).

upside down
除反了：时间是字节数除以带宽，搬得越多，时间越长。
Upside down: time is bytes over bandwidth, and grows with the bytes.

not bytes
带宽的单位是 GB/s，字节数的单位是字节：相除之前先换成同一种单位。
The bandwidth is in GB/s, the amount in bytes: bring them to one unit before you divide.

wrong side
10⁹ 乘到了分子上：带宽换成字节每秒，是乘在分母里。
The 10⁹ went to the wrong side: the bandwidth in bytes a second stands below the line.

whole
你取整了；题目没有要整数。
You rounded to a whole number; nobody asked for one.

eightfold
你把字节换成了比特；GB/s 已经是字节每秒，不必再乘 8。
You turned bytes into bits; GB/s are bytes a second already, so leave out the 8.

twice the bytes
nbytes 已经是要搬的全部字节，不必再乘 2。
nbytes is all there is to move already; don't double it.
""")


_best_milliseconds = Formula(
    SAYS,
    lambda nbytes, bandwidth: nbytes / bandwidth / 1e6,
    [(8e9, 4000), (2e6, 100), (25_591_808, 4277), (10**3, 3350.5)],
    [
        ("seconds", lambda b, w: b / w / 1e9),
        ("microseconds", lambda b, w: b / w / 1e3),
        ("binary", lambda b, w: b / (w * 2**30) * 1e3),
        *[("upside down", lambda b, w, k=k: w / b * k) for k in (1, 1e-3, 1e3, 1e6, 1e9, 1e12)],
        *[("not bytes", lambda b, w, k=k: b / w * k) for k in (1, 1e3)],
        *[("wrong side", lambda b, w, k=k: b / w * k) for k in (1e9, 1e12)],
        *[("whole", lambda b, w, to=to: to(b / w / 1e6)) for to in (math.floor, math.ceil, round)],
        ("eightfold", lambda b, w: 8 * b / w / 1e6),
        ("twice the bytes", lambda b, w: 2 * b / w / 1e6),
    ],
    asked=lambda nbytes, bandwidth: f"({nbytes:g}, {bandwidth:g})",
)

EXERCISES = {}


def _count_naive() -> float:
    import torch

    from ..softmax import naive_softmax
    from ..traffic import ledger

    x = torch.zeros(64, 1024)
    with ledger() as book:
        naive_softmax(x)
    return book.totals.bytes / (2 * x.nbytes)


OPTIONS = Options("""
times
大约 10 倍 | about 10 times
方向对：每一步都要搬整个矩阵；但五步没有那么多趟。
The direction is right, every step moves the matrix; but five steps are not that many trips.
大约 4 倍 | about 4 times
五步把整个矩阵读了五遍、写了三遍，一共八遍；理想的写法只读一遍、写一遍。
The five steps read the matrix five times and write it three times, eight in all; the ideal reads it once and writes it once.
大约 2 倍 | about 2 times
中间结果确实要多走一趟；只是不止一个中间结果。
A result in between does travel twice; but there is more than one of them.
一样多：算的是同一个函数 | the same: it is the same function
数学上确实是同一个函数；但中间结果也要写进内存、再读回来。
It is the same function, true; but the results in between are written to memory and read back.
""")

QUESTIONS = {
    "times": Question(
        measure=_count_naive,
        options=OPTIONS["times"],
        right=lambda times: min(range(4), key=lambda k: abs((10, 4, 2, 1)[k] - times)),
        result=lambda times: Text(f"账本数出来的是 {times:.2f} 倍。", f"The ledger counts {times:.2f} times."),
    ),
}
