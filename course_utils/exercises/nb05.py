"""What 05_occupancy_launcher lets the learner predict, and how each result is found."""

from ..language import Text
from ..measurements import recorded
from .prediction import Option, Question


def _times(columns: int, dtype: str) -> dict[int, float]:
    """Microseconds by the number of warps, a row a program."""
    lines = recorded("tiles", rows=4096, columns=columns, dtype=dtype, together=1)
    return {line.warps: line.median_us for line in lines}


def _four_warps() -> float:
    times = _times(12672, "float32")
    return times[4] / min(times.values())


def _spilled() -> tuple[int, float]:
    """Registers of a thread that spill with 4 warps at 32768, and how much longer that takes than the best."""
    (line,) = recorded("held", columns=32768, dtype="float32", warps=4)
    times = _times(32768, "float32")
    return line.spills, times[4] / min(times.values())


def _wanted() -> dict[str, int]:
    """The fastest number of warps at 12672, by number format."""
    times = {dtype: _times(12672, dtype) for dtype in ("float32", "bfloat16")}
    return {dtype: min(each, key=each.get) for dtype, each in times.items()}


def _worst() -> float:
    """Per cent, on the shapes that were named when the rule stood."""
    from ..explorers.recorded import regrets_of
    from ..softmax.launcher import launcher

    return 100 * (regrets_of(launcher, "later").worst - 1)


def _one_more_row() -> float:
    """How much longer a row more than a full wave takes, as recorded."""
    times = {run.rows: run.median_us for run in recorded("staying", columns=2048)}
    return times[1057] / times[1056]


QUESTIONS = {
    "one_more_row": Question(
        measure=_one_more_row,
        options=lambda times: [
            Option(Text("翻一倍", "twice as long"), Text("数波次就是这个答案：两个波次。它假定所有 program 同时开始、同时结束。", "Counting waves gives just this answer: two waves. It takes all programs to begin and to end together.")),
            Option(Text("多一半", "1.5 times as long"), Text("那一行确实要再走一轮，可别的 program 不必等它，它也不等别的。", "That row does take another round; but no program waits for another.")),
            Option(Text("几乎一样", "about as long"), Text("program 并不齐步走。第 1057 行归 program 0，多搬的字节只有千分之一。", "Programs do not march in step. Row 1057 goes to program 0, and adds a thousandth of the bytes.")),
        ],
        right=lambda times: min(range(3), key=lambda k: abs((2, 1.5, 1)[k] - times)),
        result=lambda times: Text(f"录下的是 {times:.2f} 倍。", f"{times:.2f} times was recorded."),
    ),
    "four_warps": Question(
        measure=_four_warps,
        options=lambda ratio: [
            Option(Text("不到 2%", "by less than 2%"), Text("在 8192 列正是这样；块再大一倍，就不是了。", "At 8192 columns that is so. With a block twice as large it no longer is.")),
            Option(Text("大约 10%", "by about 10%"), Text("一个线程要拿 128 个元素。", "A thread has to hold 128 elements.")),
            Option(Text("大约 100%：两倍的时间", "by about 100%: twice the time"), Text("没有这么糟：寄存器还装得下这一行。", "It is not that bad: the registers still hold the row.")),
        ],
        right=lambda ratio: 0 if ratio < 1.05 else 1 if ratio < 1.6 else 2,
        result=lambda ratio: Text(f"是最快的 {ratio:.2f} 倍。", f"It takes {ratio:.2f} times as long as the fastest."),
    ),
    "too_many": Question(
        measure=_spilled,
        options=lambda found: [
            Option(Text("编译不了", "it refuses"), Text("编译器从不因此拒绝，它另找地方放。", "A compiler never refuses for this reason. It finds another place.")),
            Option(Text("自己换成更多的 warp", "it takes more warps"), Text("warp 数由你定，编译器不改。", "You choose the number of warps, and the compiler does not change it.")),
            Option(Text("装不下的放进显存", "it puts what does not fit into device memory"), Text("这就是溢出：每一次都要写出去，再读回来。", "That is a spill: written out every time, and read back.")),
        ],
        right=lambda found: 2 if found[0] else 0,
        result=lambda found: Text(f"每个线程溢出 {found[0]} 个寄存器，用时是最快的 {found[1]:.2f} 倍。", f"{found[0]} registers of each thread spill, and it takes {found[1]:.2f} times as long as the fastest."),
    ),
    "half_the_bytes": Question(
        measure=_wanted,
        options=lambda warps: [
            Option(Text("一样多", "as many"), Text("一行的元素一样多，在寄存器里都是 float32。", "A row has as many elements, and in registers all of them are float32.")),
            Option(Text("一半", "half as many"), Text("字节是一半，可元素一样多，寄存器里都是 float32。", "Half the bytes, but as many elements, and in registers all are float32.")),
            Option(Text("两倍", "twice as many"), Text("没有哪样东西变成了两倍：元素一样多，字节只有一半。", "Nothing has doubled: as many elements, and half the bytes.")),
        ],
        right=lambda warps: (1, 0.5, 2).index(warps["bfloat16"] / warps["float32"]),
        result=lambda warps: Text("12672 列时，float32 最快的是 {float32} 个 warp，bfloat16 也是 {bfloat16} 个。".format(**warps), "At 12672 columns {float32} warps are the fastest with float32, and {bfloat16} with bfloat16.".format(**warps)),
    ),
    "held_out": Question(
        measure=_worst,
        options=lambda worst: [
            Option(Text("大约 2%", "about 2%"), Text("大多数情形确实如此。规则没想到的那一种，要慢得多。", "Most of the cases are like that. The one that the rule did not provide for is far slower.")),
            Option(Text("大约 5%", "about 5%"), Text("在挑选规则时看过的形状上是这样。没见过的形状里，有规则没想到的。", "That holds on the shapes looked at while choosing. Among those never seen is one that the rule did not provide for.")),
            Option(Text("大约 40%", "about 40%"), Text("3000 行的 200 列：规则不看行数，给的 warp 太少。", "3000 rows of 200 columns: the rule does not look at the number of rows, and gives too few warps.")),
        ],
        right=lambda worst: 0 if worst < 3.5 else 1 if worst < 15 else 2,
        result=lambda worst: Text(f"最差的慢 {worst:.1f}%。", f"The worst is {worst:.1f}% slower."),
    ),
}  # fmt: skip
