"""The exercises and the questions of 02_memory_traffic."""

import torch

from ..language import Text
from ..traffic import ledger
from .engine import Exercise, Wrong
from .prediction import Option, Question
from .probes import near, number

SHAPES = [(64, 781), (3, 4), (5, 7), (1, 9)]  # a wide one first: there a forgotten M cannot be taken for a forgotten MN


def unsafe_softmax(x):
    numerator = torch.exp(x)
    denominator = numerator.sum(dim=1)
    return numerator / denominator[:, None]


def layer_norm(x):
    mean = x.mean(dim=1)
    centered = x - mean[:, None]
    squares = centered.square()
    variance = squares.mean(dim=1)
    scale = torch.rsqrt(variance)
    return centered * scale[:, None]


def _counted(code, rows, columns) -> tuple[int, int]:
    """What the ledger says of this very code."""
    x = torch.ones(rows, columns)
    with ledger() as book:
        code(x)
    return book.totals.read.elements, book.totals.written.elements


def _traffic(code, steps):
    """A grader for (read, written) of `code`. `steps` words what each of its calls reads, for those who forget one."""

    def grade(answer):
        for rows, columns in SHAPES:
            got = answer(rows, columns)
            if hasattr(got, "tolist"):  # a tensor, or an array
                got = got.tolist()
            if not isinstance(got, (tuple, list)) or len(got) != 2:
                raise Wrong(
                    "要返回两个数：(读的元素个数, 写的元素个数)。",
                    "Return two numbers: (elements read, elements written).",
                )
            got = tuple(number(lambda k=k, got=got: got[k]) for k in (0, 1))
            want = _counted(code, rows, columns)
            if got == want:
                continue
            if got == want[::-1]:
                raise Wrong("读和写放反了：先读，后写。", "Read and written are swapped: read comes first.")
            if got == (want[0] * 4, want[1] * 4):
                raise Wrong("这是字节数；这里要的是元素个数。", "Those are bytes; elements are wanted here.")
            side, g, w = ("读", "read", 0), got[0], want[0]
            if got[0] == want[0]:
                side, g, w = ("写", "written", 1), got[1], want[1]
            missing, matrix = round(w - g), rows * columns
            if 0 < missing < matrix and missing % rows == 0:
                raise Wrong(
                    f"{side[0]}少了 {missing // rows}M：那些每行一个数的向量也要搬。{steps.zh}",
                    f"{missing // rows}M too few {side[1]}: the vectors with one number a row are moved too. {steps.en}",
                )
            if missing >= matrix:
                raise Wrong(
                    f"{side[0]}少算了整个矩阵 {round(missing / matrix)} 次。{steps.zh}",
                    f"The whole matrix is {side[1]} more often: {round(missing / matrix)} too few. {steps.en}",
                )
            raise Wrong(
                f"{rows}×{columns} 应{side[0]} {w} 个元素，你给的是 {g:g}。{steps.zh}",
                f"{rows}×{columns} should have {w} elements {side[1]}; you gave {g:g}. {steps.en}",
            )

    return grade


def _upcast_ratio(answer):
    for rows, columns in SHAPES:
        want = 11 + 4 / columns
        got = number(answer, rows, columns)
        if near(got, want):
            continue
        for value, zh, en in [
            (4 + 2 / columns, "这是类型相同时的比值。这里五个调用用 float32，每个元素 4 字节，而融合内核只搬 2 字节的。", "That is the ratio for equal types. Here the five calls work on float32, 4 bytes an element, while the fused kernel moves 2-byte elements."),
            (8 + 4 / columns, "少了两次转换：x.float() 读 2 字节、写 4 字节，最后转回去读 4 字节、写 2 字节。", "The two conversions are missing: x.float() reads 2 bytes and writes 4, the way back reads 4 and writes 2."),
            (9.5 + 4 / columns, "只算了一次转换；来回共两次。", "Only one conversion is counted; there are two, there and back."),
            (5.5 + 2 / columns, "融合内核搬的是 bfloat16：读 2 字节、写 2 字节。", "The fused kernel moves bfloat16: 2 bytes in, 2 bytes out."),
            (11.0, "少了 4/N：每行一个数的向量也是 float32。", "The 4/N is missing: the vectors with one number a row are float32 too."),
        ]:  # fmt: skip
            if near(got, value):
                raise Wrong(zh, en)
        raise Wrong(
            f"{rows}×{columns} 应得 {want:.6g}，你给的是 {got:.6g}。",
            f"{rows}×{columns} should give {want:.6g}; you gave {got:.6g}.",
        )


def _free_operations(answer):
    for peak, bandwidth, itemsize in [(67, 4800, 4), (19.5, 1555, 4), (82.6, 1008, 2), (163.4, 5325, 2)]:
        want = 2 * itemsize * peak * 1e12 / (bandwidth * 1e9)
        got = number(answer, peak, bandwidth, itemsize)
        if near(got, want):
            continue
        for value, zh, en in [
            (want / 2, "一个元素要搬两次：读一次，写一次。", "An element is moved twice: in once, out once."),
            (want / (2 * itemsize), "这是每字节能做的次数；题目问每个元素。", "That is operations per byte; the question is per element."),
            (want / 1000, "单位：TFLOP/s 是每秒 10¹² 次，GB/s 是每秒 10⁹ 字节。", "Units: TFLOP/s is 10¹² operations a second, GB/s 10⁹ bytes."),
            (1 / want, "除反了：每秒的运算 ÷ 每秒的字节。", "Upside down: operations a second ÷ bytes a second."),
            ((2 * itemsize) ** 2 / want, "除反了：每秒的运算 ÷ 每秒的字节。", "Upside down: operations a second ÷ bytes a second."),
        ]:  # fmt: skip
            if near(got, value):
                raise Wrong(zh, en)
        raise Wrong(
            f"({peak}, {bandwidth}, {itemsize}) 应得 {want:.4g}，你给的是 {got:.4g}。",
            f"({peak}, {bandwidth}, {itemsize}) should give {want:.4g}; you gave {got:.4g}.",
        )


EXERCISES = {
    "unsafe_softmax_traffic": Exercise(
        "unsafe_softmax_traffic",
        _traffic(
            unsafe_softmax,
            Text(
                "exp 读 MN 写 MN；sum 读 MN 写 M；除读 MN + M 写 MN。",
                "exp reads MN, writes MN; sum reads MN, writes M; divide reads MN + M, writes MN.",
            ),
        ),
        Text(
            "省了两步，读少了 2MN + M，写少了 MN + M；稳定性的代价就是这些。",
            "Two steps fewer: 2MN + M less to read and MN + M less to write. That is what stability costs the naive code.",
        ),
    ),
    "layer_norm_traffic": Exercise(
        "layer_norm_traffic",
        _traffic(
            layer_norm,
            Text(
                "六个调用，逐个写下它读的和写的张量的形状。",
                "Six calls: write down the shape of every tensor that each reads and writes.",
            ),
        ),
        Text(
            "与 softmax 差不多：凡是“先归约、再逐元素”的算子，朴素写法都是这样的账。",
            "Much like softmax: every operator that reduces first and then works element by element has books like these.",
        ),
    ),
    "upcast_ratio": Exercise(
        "upcast_ratio",
        _upcast_ratio,
        Text(
            "11 倍：半精度下，融合省得更多，因为 float32 的中间结果不再经过显存。",
            "11 times: in half precision fusing saves even more, for the float32 results in between never see DRAM.",
        ),
    ),
    "free_operations": Exercise(
        "free_operations",
        _free_operations,
        Text(
            "在这个次数以内，算术是白送的：时间照样由搬运决定。",
            "Up to that many, arithmetic is free: moving data decides the time.",
        ),
    ),
}


def _subtract_reads() -> int:
    x = torch.ones(3, 4)
    row_max = x.amax(dim=1)[:, None]
    with ledger() as book:
        x - row_max
    return book.totals.read.elements


def _twice_the_arithmetic() -> float:
    """The roofline's time before over its time after, for one element of the fused kernel on an H200."""
    from ..hardware import find

    gpu = find("H200")

    def seconds(peak):
        return max(8 / (gpu.bandwidth * 1e9), 5 / (peak * 1e12))

    return seconds(gpu.fp32) / seconds(2 * gpu.fp32)


def _measured_ratio() -> float:
    from ..timing import read

    times = read("times")
    return times.one("naive", 8192).median / times.one("row", 8192).median


QUESTIONS = {
    "measured_ratio": Question(
        measure=_measured_ratio,
        options=lambda ratio: [
            Option(Text("正好 4 倍：时间与字节成正比", "4 times exactly: time goes with bytes"), Text("想法没错，前提是每个内核都跑到同样的带宽。", "The idea is right, provided every kernel reaches the same bandwidth.")),
            Option(Text("不到 4 倍：总有别的开销", "less than 4: there is always some overhead"), Text("开销确实有；不过五个内核的开销比一个内核的多。", "There is overhead, true; but five kernels have more of it than one.")),
            Option(Text("超过 4 倍", "more than 4"), Text("五个内核里有几个跑不到满带宽，一个融合内核则跑得到。", "Some of the five kernels do not reach full bandwidth, and the one fused kernel does.")),
        ],
        right=lambda ratio: 2 if ratio > 4.2 else (0 if ratio > 3.8 else 1),
        result=lambda ratio: Text(f"4096×8192 的矩阵，录下的是 {ratio:.2f} 倍。", f"For a 4096×8192 matrix, {ratio:.2f} times was recorded."),
    ),
    "subtract": Question(
        measure=_subtract_reads,
        options=lambda reads: [
            Option(Text("12：整个矩阵", "12: the whole matrix"), Text("矩阵确实要读；可最大值也得从显存读回来。", "The matrix is read, true; but so are the maxima, from DRAM.")),
            Option(Text("15：矩阵，加上每行一个最大值", "15: the matrix, and one maximum a row"), Text("广播不会把最大值真的复制成矩阵：读 3 个就够。", "Broadcasting does not really copy the maxima into a matrix: 3 reads will do.")),
            Option(Text("24：两个同样大的矩阵", "24: two matrices of equal size"), Text("形状上是两个 3×4 相减，没错；但铺开只是说法，显存里只有 3 个最大值。", "By shape it is 3×4 minus 3×4, true; but the stretching is a manner of speaking, and DRAM holds 3 maxima.")),
            Option(Text("3：只有最大值", "3: the maxima alone"), Text("矩阵上一步刚读过，可它早已不在手边：12 个元素要再读一遍。", "The matrix was read a step ago, but it is no longer at hand: its 12 elements are read again.")),
        ],
        right=lambda reads: (12, 15, 24, 3).index(reads),
        result=lambda reads: Text(f"账本数到 {reads} 个。", f"The ledger counts {reads}."),
    ),
    "twice_the_arithmetic": Question(
        measure=_twice_the_arithmetic,
        options=lambda times: [
            Option(Text("2 倍", "twice as fast"), Text("要是时间都花在算术上，就是 2 倍；可它花在搬运上。", "It would be, if arithmetic took the time; but moving data does.")),
            Option(Text("1.5 倍左右", "about 1.5 times"), Text("那要算术独占三分之二的时间才行；这里算术完全躲在搬运后面。", "That would need arithmetic to take two thirds of the time by itself; here it hides behind the data movement entirely.")),
            Option(Text("一点也不会更快", "not at all"), Text("程序落在斜坡下面：抬高平顶，碰不到它。", "The program sits below the slope: raising the flat part does not touch it.")),
        ],
        right=lambda times: min(range(3), key=lambda k: abs((2, 1.5, 1)[k] - times)),
        result=lambda times: Text(f"按屋顶线算，是原来的 {times:.2f} 倍。", f"By the roofline it is {times:.2f} times as fast."),
    ),
}  # fmt: skip
