"""The exercises and the question of 00_start_here."""

from ..language import Text
from .engine import Exercise, Wrong
from .prediction import Option, Question
from .probes import near, number


def _matrix_bytes(answer):
    for rows, columns, itemsize in [(3, 4, 4), (3, 4, 2), (5, 7, 8), (4096, 781, 4)]:
        got = number(answer, rows, columns, itemsize)
        if got == rows * columns * itemsize:
            continue
        asked = f"({rows}, {columns}, {itemsize})"
        if got == rows * columns:
            raise Wrong(
                f"{asked}：这是元素个数。再乘上每个元素的字节数。",
                f"{asked}: that is the number of elements. Multiply by the bytes of one element.",
            )
        if got == rows * columns * 4:
            raise Wrong(
                f"{asked}：你总是乘 4。第三个参数说了一个元素占几字节。",
                f"{asked}: you always multiply by 4. The third argument says how many bytes one element takes.",
            )
        if got == rows * columns * itemsize * 8:
            raise Wrong(
                f"{asked}：这是比特数。1 字节是 8 比特，itemsize 已经是字节了。",
                f"{asked}: those are bits. A byte is 8 bits, and itemsize is in bytes already.",
            )
        if got == (rows + columns) * itemsize:
            raise Wrong(
                f"{asked}：你把行数与列数相加了；元素个数是它们的积。",
                f"{asked}: you added rows and columns; the number of elements is their product.",
            )
        raise Wrong(
            f"{asked} 应得 {rows * columns * itemsize}，你给的是 {got:g}。",
            f"{asked} should give {rows * columns * itemsize}; you gave {got:g}.",
        )


def _best_milliseconds(answer):
    for nbytes, bandwidth in [(8e9, 4000), (2e6, 100), (25_591_808, 4277)]:
        got, want = number(answer, nbytes, bandwidth), nbytes / (bandwidth * 1e9) * 1e3
        if near(got, want):
            continue
        mistakes = [
            (
                want / 1e3,
                "这是秒。题目要毫秒：再乘 1000。",
                "Those are seconds. Milliseconds are asked for: multiply by 1000.",
            ),
            (want * 1e3, "这是微秒。1 秒是 1000 毫秒。", "Those are microseconds. A second has 1000 milliseconds."),
            (
                want * 1e9 / 2**30,
                "带宽里的 GB 是 10⁹ 字节，不是 2³⁰（那叫 GiB）。",
                "A GB of bandwidth is 10⁹ bytes, not 2³⁰ (that is a GiB).",
            ),
            (1e6 / want, "除反了：时间 = 字节数 ÷ 带宽。", "Upside down: time = bytes ÷ bandwidth."),
            (
                want * 1e9,
                "带宽的单位是 GB/s：先乘 10⁹ 换成字节每秒。",
                "The bandwidth is in GB/s: first multiply by 10⁹ for bytes per second.",
            ),
        ]
        for value, zh, en in mistakes:
            if near(got, value):
                raise Wrong(zh, en)
        raise Wrong(
            f"{nbytes:g} 字节、{bandwidth} GB/s 应得 {want:g} 毫秒，你给的是 {got:g}。",
            f"{nbytes:g} bytes at {bandwidth} GB/s should take {want:g} ms; you gave {got:g}.",
        )


def _traffic_ratio(answer):
    for rows, columns in [(1, 1), (4, 8), (3, 100), (4096, 781)]:
        read, written, ideal = 5 * rows * columns + 2 * rows, 3 * rows * columns + 2 * rows, 2 * rows * columns
        got, want = number(answer, rows, columns), (read + written) / ideal
        if near(got, want):
            continue
        if near(got, read / ideal) or near(got, read / (rows * columns)):
            raise Wrong(
                "你只数了读。写也要花时间：朴素写法还写 3MN + 2M 个元素，融合的写 MN 个。",
                "You counted the reads alone. Writes take time too: the naive code also writes 3MN + 2M elements, the fused one MN.",
            )
        if got == want // 1:
            raise Wrong("你用了整除 //；比值不是整数。", "You divided with //; the ratio is not a whole number.")
        if got == 4:
            raise Wrong(
                f"4 是 N 很大时的极限。{rows}×{columns} 的矩阵，那 4M 个元素不能忽略。",
                f"4 is the limit for large N. For {rows}×{columns}, the 4M elements cannot be left out.",
            )
        if near(got, 1 / want):
            raise Wrong("除反了：朴素 ÷ 融合。", "Upside down: naive ÷ fused.")
        raise Wrong(
            f"{rows}×{columns} 应得 {want:.6g}，你给的是 {got:.6g}。",
            f"{rows}×{columns} should give {want:.6g}; you gave {got:.6g}.",
        )


EXERCISES = {
    "matrix_bytes": Exercise(
        "matrix_bytes",
        _matrix_bytes,
        Text(
            "元素个数乘以每个元素的字节数——整门课都靠这一步记账。",
            "Elements times bytes per element: the whole course keeps its books with this one step.",
        ),
    ),
    "best_milliseconds": Exercise(
        "best_milliseconds",
        _best_milliseconds,
        Text(
            "字节数除以带宽，就是谁也快不过去的下限。",
            "Bytes over bandwidth: the floor that no kernel gets under.",
        ),
    ),
    "traffic_ratio": Exercise(
        "traffic_ratio",
        _traffic_ratio,
        Text(
            "N 越大，比值越接近 4；这就是融合能省下的倍数。",
            "The larger N is, the closer to 4: that is what fusing can save.",
        ),
    ),
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
