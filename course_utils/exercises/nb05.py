"""What 05_occupancy_launcher lets the learner predict, and how each result is found."""

from ..measurements import recorded
from .prediction import questions


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


def _wanted() -> tuple[float, int, int]:
    """The fastest number of warps at 12672 in bfloat16 over that in float32, and both."""
    wide, narrow = (min(times, key=times.get) for times in (_times(12672, "float32"), _times(12672, "bfloat16")))
    return narrow / wide, wide, narrow


def _worst() -> float:
    """Per cent, on the shapes that were named when the rule stood."""
    from ..explorers.recorded import regrets_of
    from ..softmax.launcher import launcher

    return 100 * (regrets_of(launcher, "later").worst - 1)


def _one_more_row() -> float:
    """How much longer a row more than a full wave takes, as recorded."""
    times = {run.rows: run.median_us for run in recorded("staying", columns=2048)}
    return times[1057] / times[1056]


def _staying() -> float:
    """Time of as many programs as fit, over that of one for each tile, at 4097 columns of float32."""
    shape = {"rows": 4096, "columns": 4097, "dtype": "float32"}
    (tile,), (stay,) = (recorded("launchers", how=how, **shape) for how in ("tile", "stay"))
    return stay.median_us / tile.median_us


QUESTIONS = questions(
    """
as_many_as_fit
用时是 {:.2f} 倍。 | It takes {:.2f} times as long.
0.9: 放得下几个就启动几个：快一成 | as many as fit: a tenth faster
省下了放置 program 的时间。可是别的 program 在搬字节，放置的时间本来就藏在里面。
It saves the placing of programs. But that was hidden anyway, behind the bytes of others.
1: 一样快 | they are level
搬的字节确实一样多。可是循环要的寄存器更多。
They do move as many bytes. But the loop takes more registers.
2: 放得下几个就启动几个：两倍的时间 | as many as fit: twice as long
循环要的寄存器更多，一个 SM 就只放得下一个。
The loop takes more registers, so that only one fits on an SM.

one_more_row
录下的是 {:.2f} 倍。 | {:.2f} times was recorded.
2: 翻一倍 | twice as long
数波次就是这个答案：两个波次。它假定所有 program 同时开始、同时结束。
Counting waves gives just this answer: two waves. It takes all programs to begin and to end together.
1.5: 多一半 | 1.5 times as long
那一行确实要再走一轮，可别的 program 不必等它，它也不等别的。
That row does take another round; but no program waits for another.
1: 几乎一样 | about as long
program 并不齐步走。第 1057 行归 program 0，多搬的字节只有千分之一。
Programs don't run in lockstep. Row 1057 goes to program 0, and adds a thousandth of the bytes.

four_warps
是最快的 {:.2f} 倍。 | It takes {:.2f} times as long as the fastest.
1.01: 不到 2% | by less than 2%
在 8192 列正是这样；块再大一倍，就不是了。
At 8192 columns that is so. With a block twice as large it no longer is.
1.1: 大约 10% | by about 10%
一个线程要拿 128 个元素。
A thread has to hold 128 elements.
2: 大约 100%：两倍的时间 | by about 100%: twice the time
没有这么糟：寄存器还装得下这一行。
It is not that bad: the registers still hold the row.

too_many
每个线程溢出 {} 个寄存器，用时是最快的 {:.2f} 倍。 | {} registers of each thread spill, and it takes {:.2f} times as long as the fastest.
–: 编译不了 | it refuses
编译器从不因此拒绝，它另找地方放。
A compiler never refuses for this reason. It finds another place.
0: 自己换成更多的 warp | it takes more warps
warp 数由你定，编译器不改。
You choose the number of warps, and the compiler does not change it.
126: 装不下的放进显存 | it puts what does not fit into device memory
这就是溢出：每一次都要写出去，再读回来。
That is a spill: written out every time, and read back.

half_the_bytes
12672 列时，float32 最快的是 {1} 个 warp，bfloat16 也是 {2} 个。 | At 12672 columns {1} warps are the fastest with float32, and {2} with bfloat16.
1: 一样多 | as many
一行的元素一样多，在寄存器里都是 float32。
A row has as many elements, and in registers all of them are float32.
0.5: 一半 | half as many
字节是一半，可元素一样多，寄存器里都是 float32。
Half the bytes, but as many elements, and in registers all are float32.
2: 两倍 | twice as many
没有哪样东西变成了两倍：元素一样多，字节只有一半。
Nothing has doubled: as many elements, and half the bytes.

held_out
最差的慢 {:.1f}%。 | The worst is {:.1f}% slower.
2: 大约 2% | about 2%
大多数情形确实如此。规则没想到的那一种，要慢得多。
Most of the cases are like that. The one that the rule did not provide for is far slower.
5: 大约 5% | about 5%
在挑选规则时看过的形状上是这样。没见过的形状里，有规则没想到的。
That holds on the shapes looked at while choosing. Among those never seen is one that the rule did not provide for.
40: 大约 40% | about 40%
3000 行的 200 列：规则不看行数，给的 warp 太少。
3000 rows of 200 columns: the rule does not look at the number of rows, and gives too few warps.
""",
    as_many_as_fit=_staying,
    one_more_row=_one_more_row,
    four_warps=_four_warps,
    too_many=_spilled,
    half_the_bytes=_wanted,
    held_out=_worst,
)
