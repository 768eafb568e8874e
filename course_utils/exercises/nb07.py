"""What 07_to_the_limit lets the learner predict, and how each result is found."""

from ..measurements import recorded
from .prediction import questions


def _us(step: str, columns: int, dtype: str = "bfloat16", state: str = "sustained", **how) -> float:
    """Microseconds of a step's launch, as recorded."""
    (line,) = recorded("single_change", state=state, rows=4096, columns=columns, dtype=dtype, step=step, **how)
    return line.median_us


def _in_pieces() -> float:
    """What pieces change where both have 8 warps."""
    same = {"columns": 4097, "warps": 8}
    return _us("pieces", **same) / _us("tile", **same) - 1


def _powers() -> tuple[str, float, float]:
    def won(dtype):
        us = (_us(step, 32768, dtype, hint="evict_last", warps=16) for step in ("powers", "neither"))
        return next(us) / next(us) - 1

    wide, narrow = won("float32"), won("bfloat16")
    return "both" if abs(wide - narrow) < _LESS else "float32" if wide < narrow else "bfloat16", wide, narrow


def _met() -> tuple[float, int, int]:
    """What fewer barriers changed in the time at 32768 columns of float32, and how many the two kernels have."""
    at = {"rows": 4096, "columns": 32768, "dtype": "float32"}
    (powers,), (meeting,) = (recorded("climb", step=step, **at) for step in ("powers", "meeting"))
    return meeting.median_us / powers.median_us - 1, powers.barriers, meeting.barriers


_LESS = 0.02

QUESTIONS = questions(
    """
pieces
用时 {:+.1%}。 | The time changed by {:+.1%}.
0: 几乎不变：填充不搬字节 | hardly at all: padding moves no bytes
字节的确不变。可是填充的元素照样占寄存器，照样执行指令。
No byte is saved, true. But padded elements take registers and instructions like any other.
-0.05: 快百分之几 | by a few per cent
8192 个元素里有 4095 个是填充，3 段去掉一半。
Of 8192 elements 4095 are padding, and three pieces remove half of it.
-0.25: 快五分之一以上 | by a fifth or more
一个线程少了四分之一的元素，它们的寄存器和指令都省下了。
A thread has a quarter fewer elements, and saves their registers and instructions.

starts
{} 行。 | {}.
8: 8 行都是 | all eight
只有每行的字节数能被 16 整除时才是这样；781 个 bfloat16 是 1562 字节。
That takes a row whose bytes 16 divides; 781 bfloat16 are 1562 bytes.
4: 4 行 | four
781 是奇数，行的起点除以 8 的余数轮流取遍 0 到 7。
781 is odd, so the starts leave all of 0 to 7 when divided by 8, in turn.
1: 1 行 | one
781 是奇数，行的起点除以 8 的余数轮流取遍 0 到 7，余 0 的只有第 0 行。
781 is odd, so the starts leave all of 0 to 7 when divided by 8, in turn; only row 0 leaves 0.

powers
float32 {1:+.1%}，bfloat16 {2:+.1%}。 | float32 {1:+.1%}, bfloat16 {2:+.1%}.
float32: float32 | float32
同样多的时间里，float32 的元素只有一半，指令也就只有一半。
In the same time there are half as many elements of float32, and so half as many instructions.
bfloat16: bfloat16 | bfloat16
同样的字节里元素多一倍，指令也多一倍。
The same bytes hold twice as many elements, and take twice as many instructions.
both: 两种一样 | both alike
每个元素省下的指令一样多，可是每个字节省下的不一样。
Per element they save alike, but not per byte.

meetings
屏障从 {1} 个到 {2} 个，用时 {0:+.1%}。 | Barriers went from {1} to {2}, the time changed by {0:+.1%}.
0: 几乎不变 | hardly at all
少等两次，却多了一次合并和每个元素一次乘法。
Two waits fewer, but one merge more, and a multiplication for every element.
-0.04: 快百分之几 | by a few per cent
屏障的确少了，时间没有少。
There are fewer barriers, and no less time.
-0.12: 快一成以上 | by ten per cent or more
屏障的确少了，时间没有少。
There are fewer barriers, and no less time.
""",
    pieces=_in_pieces,
    starts=lambda: sum(781 * row % 8 == 0 for row in range(8)),
    powers=_powers,
    meetings=_met,
)
