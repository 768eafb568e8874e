"""What 07_to_the_limit lets the learner predict, and how each result is found."""

from ..language import Text
from ..measurements import recorded
from .prediction import Option, Question


def _us(step: str, columns: int, dtype: str = "bfloat16", state: str = "sustained", **how) -> float:
    """Microseconds of a step's launch, as recorded."""
    (line,) = recorded("single_change", state=state, rows=4096, columns=columns, dtype=dtype, step=step, **how)
    return line.median_us


def _in_pieces() -> float:
    """What pieces change where both have 8 warps."""
    same = {"columns": 4097, "warps": 8}
    return _us("pieces", **same) / _us("tile", **same) - 1


def _powers() -> dict[str, float]:
    def us(step, dtype):
        return _us(step, 32768, dtype, hint="evict_last", warps=16)

    return {dtype: us("powers", dtype) / us("neither", dtype) - 1 for dtype in ("float32", "bfloat16")}


def _met() -> tuple[int, int, float]:
    """Barriers in the two kernels, and what fewer of them changed in the time, at 32768 columns of float32."""
    at = {"rows": 4096, "columns": 32768, "dtype": "float32"}
    (powers,), (meeting,) = (recorded("climb", step=step, **at) for step in ("powers", "meeting"))
    return powers.barriers, meeting.barriers, meeting.median_us / powers.median_us - 1


def _signed(share: float) -> str:
    return f"{share:+.1%}".replace("-", "−")


_LESS = 0.02

QUESTIONS = {
    "pieces": Question(
        measure=_in_pieces,
        options=[
            Option(Text("几乎不变：填充不搬字节", "hardly at all: padding moves no bytes"), Text("字节的确不变。可是填充的元素照样占寄存器，照样执行指令。", "No byte is saved, true. But padded elements take registers and instructions like any other.")),
            Option(Text("快百分之几", "by a few per cent"), Text("8192 个元素里有 4095 个是填充，3 段去掉一半。", "Of 8192 elements 4095 are padding, and three pieces remove half of it.")),
            Option(Text("快五分之一以上", "by a fifth or more"), Text("一个线程少了四分之一的元素，它们的寄存器和指令都省下了。", "A thread has a quarter fewer elements, and saves their registers and instructions.")),
        ],
        right=lambda won: 0 if won > -_LESS else 1 if won > -0.2 else 2,
        result=lambda won: Text(f"用时 {_signed(won)}。", f"The time changed by {_signed(won)}."),
    ),
    "starts": Question(
        measure=lambda: sum(781 * row % 8 == 0 for row in range(8)),
        options=[
            Option(Text("8 行都是", "all eight"), Text("只有每行的字节数能被 16 整除时才是这样；781 个 bfloat16 是 1562 字节。", "That takes a row whose bytes 16 divides; 781 bfloat16 are 1562 bytes.")),
            Option(Text("4 行", "four"), Text("781 是奇数，行的起点除以 8 的余数轮流取遍 0 到 7。", "781 is odd, so the starts leave all of 0 to 7 when divided by 8, in turn.")),
            Option(Text("1 行", "one"), Text("781 是奇数，行的起点除以 8 的余数轮流取遍 0 到 7，余 0 的只有第 0 行。", "781 is odd, so the starts leave all of 0 to 7 when divided by 8, in turn; only row 0 leaves 0.")),
        ],
        right=lambda count: {8: 0, 4: 1, 1: 2}[count],
        result=lambda count: Text(f"{count} 行。", f"{count}."),
    ),
    "powers": Question(
        measure=_powers,
        options=[
            Option(Text("float32", "float32"), Text("同样多的时间里，float32 的元素只有一半，指令也就只有一半。", "In the same time there are half as many elements of float32, and so half as many instructions.")),
            Option(Text("bfloat16", "bfloat16"), Text("同样的字节里元素多一倍，指令也多一倍。", "The same bytes hold twice as many elements, and take twice as many instructions.")),
            Option(Text("两种一样", "both alike"), Text("每个元素省下的指令一样多，可是每个字节省下的不一样。", "Per element they save alike, but not per byte.")),
        ],
        right=lambda won: 2 if abs(won["float32"] - won["bfloat16"]) < _LESS else 0 if won["float32"] < won["bfloat16"] else 1,
        result=lambda won: Text(f"float32 {_signed(won['float32'])}，bfloat16 {_signed(won['bfloat16'])}。", f"float32 {_signed(won['float32'])}, bfloat16 {_signed(won['bfloat16'])}."),
    ),
    "meetings": Question(
        measure=_met,
        options=[
            Option(Text("几乎不变", "hardly at all"), Text("少等两次，却多了一次合并和每个元素一次乘法。", "Two waits fewer, but one merge more, and a multiplication for every element.")),
            Option(Text("快百分之几", "by a few per cent"), Text("屏障的确少了，时间没有少。", "There are fewer barriers, and no less time.")),
            Option(Text("快一成以上", "by ten per cent or more"), Text("屏障的确少了，时间没有少。", "There are fewer barriers, and no less time.")),
        ],
        right=lambda found: 2 if found[2] < -0.08 else 1 if found[2] < -0.015 else 0,
        result=lambda found: Text(f"屏障从 {found[0]} 个到 {found[1]} 个，用时 {_signed(found[2])}。", f"Barriers went from {found[0]} to {found[1]}, the time changed by {_signed(found[2])}."),
    ),
}  # fmt: skip
