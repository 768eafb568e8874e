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


def _hinted() -> dict[str, float]:
    def us(state, hint):
        return _us("hint", 8192, state=state, hint=hint, warps=4)

    return {state: us(state, "evict_first") / us(state, "") - 1 for state in ("sustained", "hot")}


def _powers() -> dict[str, float]:
    def us(step, dtype):
        return _us(step, 4097, dtype, hint="evict_first", warps=4)

    return {dtype: us("powers", dtype) / us("peeled", dtype) - 1 for dtype in ("float32", "bfloat16")}


def _unpeeled() -> tuple[float, float]:
    """What peeling changed on the way at 12671 columns of bfloat16, and what leaving it out changes in the end."""
    same = {"columns": 12671, "hint": "evict_first", "warps": 8}
    added = _us("peeled", **same) / _us("hint", **same) - 1
    found = recorded("without", state="sustained", dtype="bfloat16", columns=12671)
    times = {line.idea: line.median_us for line in found}
    return added, times["ragged ends"] / times[""] - 1


def _met() -> tuple[int, int, float]:
    """Barriers in the two kernels, and what fewer of them changed in the time, at 32768 columns of float32."""
    at = {"rows": 4096, "columns": 32768, "dtype": "float32"}
    (hint,), (meeting,) = (recorded("climb", step=step, **at) for step in ("hint", "meeting"))
    return hint.barriers, meeting.barriers, meeting.median_us / hint.median_us - 1


def _signed(share: float) -> str:
    return f"{share:+.1%}".replace("-", "−")


_LESS = 0.02

QUESTIONS = {
    "pieces": Question(
        measure=_in_pieces,
        options=[
            Option(Text("几乎不变：填充不搬字节", "hardly at all: padding moves no bytes"), Text("字节的确不变。可是填充的元素照样占寄存器，照样执行指令。", "No byte is saved, true. But padded elements take registers and instructions like any other.")),
            Option(Text("快百分之几", "by a few per cent"), Text("8192 个元素里有 4095 个是填充，3 个碎块去掉一半。", "Of 8192 elements 4095 are padding, and three pieces remove half of it.")),
            Option(Text("快五分之一以上", "by a fifth or more"), Text("一个线程少了四分之一的元素，它们的寄存器和指令都省下了。", "A thread has a quarter fewer elements, and saves their registers and instructions.")),
        ],
        right=lambda won: 0 if won > -_LESS else 1 if won > -0.2 else 2,
        result=lambda won: Text(f"用时 {_signed(won)}。", f"The time changed by {_signed(won)}."),
    ),
    "align": Question(
        measure=lambda: 1000 % 16,
        options=[
            Option(Text("知道：16 能整除 2000 字节", "yes: 16 divides 2000 bytes"), Text("16 能整除 2000，可是编译器看到的参数是 1000 个元素。", "16 does divide 2000, but the argument that the compiler sees is 1000 elements.")),
            Option(Text("知道：它会在运行时检查地址", "yes: it checks addresses while running"), Text("读多宽写死在指令里，编译时就定了。", "The width of a load is part of the instruction, chosen when compiling.")),
            Option(Text("不知道：16 不能整除 1000", "no: 16 does not divide 1000"), Text("它按最坏的情况办，一次读一个元素。", "It assumes the worst and loads one element at a time.")),
        ],
        right=lambda rest: 2 if rest else 0,
        result=lambda rest: Text(f"1000 除以 16 余 {rest}。", f"1000 leaves {rest} when divided by 16."),
    ),
    "hint": Question(
        measure=_hinted,
        options=[
            Option(Text("sustained 和 hot 都快", "in both, sustained and hot"), Text("在 sustained 状态下，输入不在缓存里，没有什么可留。", "Sustained, the input is not in the cache, and there is nothing to keep.")),
            Option(Text("只有 sustained 快", "sustained alone"), Text("正相反：输入已经在缓存里的时候，才有东西可留。", "The other way round: only where the input is in the cache is there something to keep.")),
            Option(Text("只有 hot 快", "hot alone"), Text("输入有一部分已经在 L2 里，要紧的是别让输出把它挤走。", "Part of the input is in L2 already; what matters is that the output does not push it out.")),
        ],
        right=lambda won: {(True, True): 0, (True, False): 1, (False, True): 2}[won["sustained"] < -_LESS, won["hot"] < -_LESS],
        result=lambda won: Text(f"sustained {_signed(won['sustained'])}，hot {_signed(won['hot'])}。", f"Sustained {_signed(won['sustained'])}, hot {_signed(won['hot'])}."),
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
    "left": Question(
        measure=_unpeeled,
        options=[
            Option(Text("更快：一路上它就拖慢了", "faster: it lost on the way"), Text("后一步还没有来的时候，它变慢了。", "It lost while the step after it was not there yet.")),
            Option(Text("几乎不变", "hardly any different"), Text("有了后一步，它省下的时间就看得见了。", "With the step after it in place, what it saves shows.")),
            Option(Text("更慢：现在它有用了", "slower: by now it helps"), Text("一处改动省多少，要看旁边有什么。", "How much a change saves depends on what stands beside it.")),
        ],
        right=lambda found: 2 if found[1] > _LESS else 0 if found[1] < -_LESS else 1,
        result=lambda found: Text(f"加上它时，用时 {_signed(found[0])}；最后去掉它，{_signed(found[1])}。", f"Added on the way it changed the time by {_signed(found[0])}; left out at the end, by {_signed(found[1])}."),
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
