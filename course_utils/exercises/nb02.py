"""The exercises and the questions of 02_memory_traffic."""

from math import floor

import numpy as np
import torch

from ..language import Text
from ..traffic import ledger
from .exercise import Exercise
from .formulas import Formula
from .prediction import Options, Question
from .probes import number
from .sayings import Sayings
from .wrong import Wrong

SAYS = Sayings("""
unsafe_softmax_traffic
省了两步，读少了 2MN + M，写少了 MN + M；稳定性的代价就是这些。
Two steps fewer: 2MN + M less to read and MN + M less to write. That is what stability costs the naive code.

layer_norm_traffic
与 softmax 差不多：凡是“先归约、再逐元素”的算子，朴素写法都是这样的账。
Much like softmax: every operator that reduces first and then works element by element has books like these.

two numbers
要返回两个数：(读的元素个数, 写的元素个数)。
Return two numbers: (elements read, elements written).

swapped
读和写放反了：先读，后写。
Read and written are swapped: read comes first.

bytes
这是字节数；这里要的是元素个数。
Those are bytes; elements are wanted here.

fused
这是一个融合 kernel 的账。这里每个调用都是一个 kernel，各读各的，各写各的。
That is what one fused kernel moves. Here every call is a kernel of its own, with reads and writes of its own.

sum
少算了 variance + 1e-5：它也是一个调用，读 M 个，写 M 个。
You left out variance + 1e-5: it is a call as well, and reads M and writes M.

five calls
这是正文里 softmax 那五个调用的账；这里的调用不一样。
Those are the books of the text's softmax with its five calls; the calls here are others.

columns
{side}：每行一个数的向量有 M 个数，你算成了 N 个。
{side}: a vector with one number a row has M of them; you counted N.

vectors
{side}：矩阵算对了，每行一个数的向量{amount}。逐个调用写下每个张量的形状，再数一遍。
{side}: the matrices are right, but {amount} vectors with one number a row. Write down, call by call, the shape of every tensor, and count again.

matrices
{side}：M×N 的矩阵{amount}。逐个调用写下每个张量的形状，再数一遍。
{side}: {amount} whole M×N matrices. Write down, call by call, the shape of every tensor, and count again.

differs
{side}：{rows}×{columns} 的矩阵应是 {want:g} 个元素，你给的是 {got:g}。逐个调用写下每个张量的形状，再数一遍。
{side}: a {rows}×{columns} matrix should give {want:g} elements; you gave {got:g}. Write down, call by call, the shape of every tensor, and count again.

upcast_ratio
11 倍：半精度下，融合省得更多，因为 float32 的中间结果不再经过显存。
11 times: in half precision fusing saves even more, for the float32 results in between never see device memory.

equal types
这是类型相同时的比值。这里五个调用用的是 float32，融合 kernel 搬的是 bfloat16，一个元素的字节数不同。
That is the ratio for equal types. Here the five calls work on float32 and the fused kernel on bfloat16, whose elements differ in size.

elements for bytes
你比的是元素个数；这里类型不一样，要比字节。
You compared elements; the types differ here, so compare bytes.

calls in bfloat16
那五个调用读写的是 float32，每个元素 4 字节。
Those five calls read and write float32, 4 bytes an element.

columns for rows
每行一个数的向量有 M 个元素，不是 N 个。
A vector with one number a row has M elements, not N.

no conversions
少了两次转换：转过去要读、要写，转回来也是。
The two conversions are missing: the way there reads and writes, and so does the way back.

one conversion
只算了一次转换；来回共两次。
Only one conversion is counted; there and back makes two.

fused in float32
分母错了：融合 kernel 读写的是 bfloat16，float32 只在寄存器里。
The denominator is wrong: the fused kernel reads and writes bfloat16; float32 stays in its registers.

no vectors
少了每行一个数的向量：N 不大时，它们不能忽略。
The vectors with one number a row are missing; unless N is large they count.

half below
分母少了一半：融合 kernel 既读又写。
Half of the denominator is missing: the fused kernel both reads and writes.

vectors in bfloat16
每行一个数的向量也是 float32，4 字节一个。
The vectors with one number a row are float32 too, 4 bytes each.

inverse
除反了：题目问前者是后者的多少倍。
Upside down: the question is how many times the latter the former is.

whole
你用了整除 //；比值不是整数。
You divided with //; the ratio is not a whole number.

free_operations
在这个次数以内，算术是白送的：时间照样由搬运决定。
Up to that many, arithmetic is free: moving data decides the time.

moved once
一个元素要搬两次：读一次，写一次。
An element is moved twice: in once, out once.

per byte
这是每字节能做的次数；题目问每个元素。
That is operations per byte; the question is per element.

units
单位：TFLOP/s 是每秒 10¹² 次，GB/s 是每秒 10⁹ 字节。
Units: TFLOP/s is 10¹² operations a second, GB/s 10⁹ bytes.

upside down
除反了：每秒的运算 ÷ 每秒的字节。
Upside down: operations a second ÷ bytes a second.

no itemsize
漏了 itemsize：一读一写搬的是 2 × itemsize 字节，不是 2 字节。
itemsize is missing: a read and a write move 2 × itemsize bytes, not 2.

always four
你总把一个元素当 4 字节；itemsize 说了它占几字节。
You always take an element for 4 bytes; itemsize says how many it has.

floored
你取了整；题目没有要求整数。
You rounded to a whole number; nobody asked for one.

binary
GB 是 10⁹ 字节，2³⁰ 字节是 GiB。
A GB is 10⁹ bytes; 2³⁰ bytes are a GiB.
""")

# ---- elements read and written

READ, WRITTEN = Text("读", "Read"), Text("写", "Written")
SHAPES = [(64, 781), (3, 4), (5, 7), (1, 9), (16, 2), (1, 1)]


def unsafe_softmax(x):
    numerator = torch.exp(x)
    denominator = numerator.sum(dim=1)
    return numerator / denominator[:, None]


def layer_norm(x):
    mean = x.mean(dim=1)
    centered = x - mean[:, None]
    squares = centered.square()
    variance = squares.mean(dim=1)
    scale = torch.rsqrt(variance + 1e-5)
    return centered * scale[:, None]


def _two_numbers(answer, rows, columns) -> tuple[float, float]:
    got = answer(rows, columns)
    if hasattr(got, "tolist"):  # a tensor, or an array
        got = got.tolist()
    if not isinstance(got, (tuple, list)) or len(got) != 2:
        raise SAYS.wrong("two numbers")
    return tuple(number(lambda one=one: one) for one in got)


def _terms(counts: list[float]) -> tuple[float, ...] | None:
    """The a, b, c, d of counts that are aMN + bM + cN + d in every shape; None if they are nothing of the kind."""
    shapes = np.array([(m * n, m, n, 1) for m, n in SHAPES], dtype=float)
    terms = np.linalg.lstsq(shapes, np.array(counts, dtype=float), rcond=None)[0].round(6)
    return tuple(terms) if np.allclose(shapes @ terms, counts, rtol=1e-9, atol=1e-3) else None


def _amount(missing: float) -> Text:
    return Text("少了", "too few") if missing > 0 else Text("多了", "too many")


# What the ledger counts of each code, as (a, b) of aMN + bM: read and written. A test holds them against the ledger, whose
# first use takes a second that nobody should wait for at every check.
TRAFFIC = {unsafe_softmax: ((3, 1), (2, 1)), layer_norm: ((5, 4), (3, 4))}


def _traffic(code):
    """A grader for (read, written) of `code`."""

    def grade(answer):
        got = [_two_numbers(answer, *shape) for shape in SHAPES]
        want = [tuple(a * m * n + b * m for a, b in TRAFFIC[code]) for m, n in SHAPES]
        if got == want:
            return
        for key, other in [
            ("swapped", [pair[::-1] for pair in want]),
            ("bytes", [(4 * r, 4 * w) for r, w in want]),
            ("fused", [(m * n, m * n) for m, n in SHAPES]),
            ("sum", [(5 * m * n + 3 * m, 3 * m * n + 3 * m) for m, n in SHAPES]),
            ("five calls", [(5 * m * n + 2 * m, 3 * m * n + 2 * m) for m, n in SHAPES]),
        ]:
            if got == other:
                raise SAYS.wrong(key)
        side = 0 if any(g[0] != w[0] for g, w in zip(got, want)) else 1
        raise _what_differs((READ, WRITTEN)[side], [g[side] for g in got], [w[side] for w in want])

    return grade


def _what_differs(side: Text, got: list[float], want: list[float]) -> Wrong:
    """Whole matrices, or vectors, or neither, told from the terms of both counts."""
    mine, theirs = _terms(got), _terms(want)
    if mine and mine[2:] == (0, 0) and mine[1] == theirs[1]:
        return SAYS.wrong("matrices", side=side, amount=_amount(theirs[0] - mine[0]))
    if mine and mine[2:] == (0, 0) and mine[0] == theirs[0]:
        return SAYS.wrong("vectors", side=side, amount=_amount(theirs[1] - mine[1]))
    if mine and mine[0] == theirs[0] and mine[2] and mine[1] + mine[2] == theirs[1] and not mine[3]:
        return SAYS.wrong("columns", side=side)
    (rows, columns), g, w = next(found for found in zip(SHAPES, got, want) if found[1] != found[2])
    return SAYS.wrong("differs", side=side, rows=rows, columns=columns, got=g, want=w)


# ---- bytes where the types differ


_upcast_ratio = Formula(
    SAYS,
    lambda m, n: 11 + 4 / n,
    [(64, 781), (3, 4), (5, 7), (1, 9), (7, 1)],
    [
        ("equal types", lambda m, n: 4 + 2 / n),
        ("no conversions", lambda m, n: 8 + 4 / n),
        ("one conversion", lambda m, n: 9.5 + 4 / n),
        ("fused in float32", lambda m, n: 5.5 + 2 / n),
        ("no vectors", lambda m, n: 11),
        ("half below", lambda m, n: 22 + 8 / n),
        ("vectors in bfloat16", lambda m, n: 11 + 2 / n),
        ("elements for bytes", lambda m, n: 6 + 2 / n),
        ("calls in bfloat16", lambda m, n: 7 + 2 / n),
        ("columns for rows", lambda m, n: 11 + 4 / m),
        ("inverse", lambda m, n: 1 / (11 + 4 / n)),
        ("whole", lambda m, n: floor(11 + 4 / n)),
    ],
)

# ---- arithmetic in the shadow of the bytes

_free_operations = Formula(
    SAYS,
    lambda peak, bandwidth, size: 2 * size * peak * 1e3 / bandwidth,
    [(67, 4800, 4), (19.5, 1555, 4), (82.6, 1008, 2), (163.4, 5325, 2), (34, 4800, 8)],
    [
        ("moved once", lambda f, b, size: size * f * 1e3 / b),
        ("per byte", lambda f, b, size: f * 1e3 / b),
        ("no itemsize", lambda f, b, size: 2 * f * 1e3 / b),
        *[("units", lambda f, b, size, k=k: 2 * size * f / b * k) for k in (1, 1e-3, 1e6, 1e12)],
        *[
            ("upside down", lambda f, b, size, k=k: b / f / 1e3 * k(size))
            for k in (lambda size: 1, lambda size: 2 * size, lambda size: 1 / (2 * size), lambda size: size)
        ],
        ("always four", lambda f, b, size: 8 * f * 1e3 / b),
        ("floored", lambda f, b, size: floor(2 * size * f * 1e3 / b)),
        ("floored", lambda f, b, size: round(2 * size * f * 1e3 / b)),
        ("binary", lambda f, b, size: 2 * size * f * 1e12 / (b * 2**30)),
    ],
)

EXERCISES = {
    name: Exercise(name, grader, SAYS[name])
    for name, grader in {
        "unsafe_softmax_traffic": _traffic(unsafe_softmax),
        "upcast_ratio": _upcast_ratio,
        "free_operations": _free_operations,
    }.items()
}


def _subtract_reads() -> int:
    x = torch.ones(3, 4)
    row_max = x.amax(dim=1)[:, None]
    with ledger() as book:
        x - row_max
    return book.totals.read.elements


OPTIONS = Options("""
subtract
3：只有最大值 | 3: the maxima alone
矩阵上一步刚读过，可它早已不在手边：12 个元素要再读一遍。
The matrix was read a step ago, but it is no longer at hand: its 12 elements are read again.
12：整个矩阵 | 12: the whole matrix
矩阵确实要读；可最大值也得从显存读回来。
The matrix is read, true; but so are the maxima, from memory.
15：矩阵，加上每行一个最大值 | 15: the matrix, and one maximum a row
广播不会把最大值真的复制成矩阵：读 3 个就够。
Broadcasting does not really copy the maxima into a matrix: 3 reads will do.
24：两个同样大的矩阵 | 24: two matrices of equal size
形状上是两个 3×4 相减，没错；但铺开只是说法，显存里只有 3 个最大值。
By shape it is 3×4 minus 3×4, true; but the stretching is a manner of speaking, and memory holds 3 maxima.
""")

QUESTIONS = {
    "subtract": Question(
        measure=_subtract_reads,
        options=OPTIONS["subtract"],
        right=lambda reads: (3, 12, 15, 24).index(reads),
        result=lambda reads: Text(f"账本数到 {reads} 个。", f"The ledger counts {reads}."),
    ),
}
