"""The exercises and the question of 00_start_here."""

from math import floor

from ..language import Text
from .exercise import Exercise
from .formulas import Formula
from .prediction import Option, Question
from .sayings import Sayings

SAYS = Sayings("""
matrix_bytes
元素个数乘以每个元素的字节数：整门课都靠这一步记账。
Elements times bytes per element: the whole course keeps its books with this one step.

elements
这是元素个数。再乘上每个元素的字节数。
That is the number of elements. Multiply by the bytes of one element.

always four
你总是乘 4。第三个参数说了一个元素占几字节。
You always multiply by 4. The third argument says how many bytes one element takes.

bits
这是比特数。1 字节是 8 比特，itemsize 已经是字节了。
Those are bits. A byte is 8 bits, and itemsize is in bytes already.

added
你把行数与列数相加了；元素个数是它们的积。
You added rows and columns; the number of elements is their product.

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

eightfold
你把字节换成了比特；GB/s 已经是字节每秒，不必再乘 8。
You turned bytes into bits; GB/s are bytes a second already, so leave out the 8.

twice the bytes
nbytes 已经是要搬的全部字节，不必再乘 2。
nbytes is all there is to move already; don't double it.

traffic_ratio
N 越大，比值越接近 4；这就是融合能省下的倍数。
The larger N is, the closer to 4: that is what fusing can save.

reads alone
你只数了读。写也要花时间，两种写法都要把读和写加起来。
You counted the reads alone. Writes take time too: for both, add reads and writes.

writes alone
你只数了写。读也要花时间，两种写法都要把读和写加起来。
You counted the writes alone. Reads take time too: for both, add reads and writes.

half below
分子读写都数了，分母只数了一半：融合写法也是既读又写。
Above the line you counted reads and writes, below it only one of them: the fused code does both as well.

whole
你用了整除 //；比值不是整数。
You divided with //; the ratio is not a whole number.

limit
4 是 N 很大时的极限。矩阵不大时，每行一个数的那些向量不能忽略。
4 is the limit for large N. In a small matrix the vectors with one number a row cannot be left out.

inverse
除反了：题目问前者是后者的多少倍。
Upside down: the question is how many times the latter the former is.

columns for rows
2M 里的 M 是行数：那些向量每行一个数，不是每列一个数。
The M of 2M is the number of rows: those vectors have one number a row, not one a column.
""")


def _naive_reads(m, n):
    return 5 * m * n + 2 * m


def _naive_writes(m, n):
    return 3 * m * n + 2 * m


_matrix_bytes = Formula(
    SAYS,
    lambda rows, columns, itemsize: rows * columns * itemsize,
    [(3, 4, 4), (3, 4, 2), (5, 7, 8), (4096, 781, 4)],
    [
        ("elements", lambda m, n, size: m * n),
        ("always four", lambda m, n, size: m * n * 4),
        ("bits", lambda m, n, size: m * n * size * 8),
        ("added", lambda m, n, size: (m + n) * size),
    ],
)

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
        ("eightfold", lambda b, w: 8 * b / w / 1e6),
        ("twice the bytes", lambda b, w: 2 * b / w / 1e6),
    ],
    asked=lambda nbytes, bandwidth: f"({nbytes:g}, {bandwidth:g})",
)

_traffic_ratio = Formula(
    SAYS,
    lambda m, n: 4 + 2 / n,
    [(1, 1), (4, 8), (3, 100), (4096, 781), (50, 3)],
    [
        ("reads alone", lambda m, n: _naive_reads(m, n) / (2 * m * n)),
        ("reads alone", lambda m, n: _naive_reads(m, n) / (m * n)),
        ("writes alone", lambda m, n: _naive_writes(m, n) / (2 * m * n)),
        ("writes alone", lambda m, n: _naive_writes(m, n) / (m * n)),
        ("half below", lambda m, n: 8 + 4 / n),
        ("whole", lambda m, n: floor(4 + 2 / n)),
        ("limit", lambda m, n: 4),
        ("inverse", lambda m, n: 1 / (4 + 2 / n)),
        ("columns for rows", lambda m, n: 4 + 2 / m),
    ],
)

EXERCISES = {
    name: Exercise(name, grader, SAYS[name])
    for name, grader in {
        "matrix_bytes": _matrix_bytes,
        "best_milliseconds": _best_milliseconds,
        "traffic_ratio": _traffic_ratio,
    }.items()
}


def _count_naive() -> float:
    import torch

    from ..softmax import naive_softmax
    from ..traffic import ledger

    x = torch.zeros(64, 1024)
    with ledger() as book:
        naive_softmax(x)
    return book.totals.bytes / (2 * x.nbytes)


QUESTIONS = {
    "times": Question(
        measure=_count_naive,
        options=lambda times: [
            Option(
                Text("一样多：算的是同一个函数", "the same: it is the same function"),
                Text(
                    "数学上确实是同一个函数；但中间结果也要写进内存、再读回来。",
                    "It is the same function, true; but the results in between are written to memory and read back.",
                ),
            ),
            Option(
                Text("大约 2 倍", "about 2 times"),
                Text(
                    "中间结果确实要多走一趟；只是不止一个中间结果。",
                    "A result in between does travel twice; but there is more than one of them.",
                ),
            ),
            Option(
                Text("大约 4 倍", "about 4 times"),
                Text(
                    "五步各走一遍整个矩阵，而理想的写法只读一遍、写一遍。",
                    "Five steps walk over the whole matrix; the ideal reads it once and writes it once.",
                ),
            ),
            Option(
                Text("大约 10 倍", "about 10 times"),
                Text(
                    "方向对：每一步都要搬整个矩阵；但五步没有那么多趟。",
                    "The direction is right, every step moves the matrix; but five steps are not that many trips.",
                ),
            ),
        ],
        right=lambda times: min(range(4), key=lambda k: abs((1, 2, 4, 10)[k] - times)),
        result=lambda times: Text(
            f"账本数出来的是 {times:.2f} 倍。",
            f"The ledger counts {times:.2f} times.",
        ),
    ),
}
