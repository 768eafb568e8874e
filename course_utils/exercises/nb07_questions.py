"""What 07_to_the_limit lets the learner predict, and how each result is found."""

from ..language import Text
from .prediction import Option, Question


def _warps(columns: int) -> int:
    from ..softmax.ladder import launch_for

    return launch_for("pieces", columns).constants["WARPS"]


def _won(step: str, before: str, columns: int, dtype="float32", state="sustained") -> float:
    """The change in time from one recorded step to another."""
    from ..measurements import ladder

    rungs = ladder.at(columns, dtype, state)
    return rungs[step].median_us / rungs[before].median_us - 1


def _both_ends() -> tuple[int, int]:
    """Elements of a thread in the row kernel, and how many registers it spills, at 32768 columns as recorded."""
    from ..measurements import ladder

    return 256 // 128, ladder.at(32768)["row"].spills


def _barriers() -> tuple[int, int, float]:
    """Barriers in the two steps, and what fewer of them changed in the time, at 4096 columns as recorded."""
    from ..measurements import ladder

    rungs = ladder.at(4096)
    return rungs["pieces"].barriers, rungs["meeting"].barriers, _won("meeting", "pieces", 4096)


def _worths() -> list[float]:
    from ..measurements import ladder
    from ..softmax.ladder import STEPS

    before = dict(zip(STEPS[1:], STEPS))
    return [ladder.worth(step, before[step]) for step in ("early", "wide", "pieces", "several")]


def _hint_changes() -> list[float]:
    from ..measurements import ladder

    return [_won("hints", "wide", n, state=s) for n in ladder.COLUMNS for s in ("sustained", "hot")]


def _shares() -> tuple[float, float]:
    return _won("early", "fitted", 256), _won("early", "fitted", 32768)


def _signed(share: float) -> str:
    return f"{share:+.1%}".replace("-", "−")


def _listed(changes: list[float], between: str) -> str:
    return between.join(f"{letter} {_signed(change)}" for letter, change in zip("ABCD", changes, strict=True))


QUESTIONS = {
    "share": Question(
        measure=_both_ends,
        options=lambda found: [
            Option(Text("都没有：字节数一样", "neither: the bytes are the same"), Text("字节数一样，时间不一样：这一本讲的就是这个。", "The bytes are the same and the time is not: that is what this notebook is about.")),
            Option(Text("窄的一头：2 个元素太少", "the narrow end: 2 elements are too few"), Text("这一头确实有问题，另一头也有。", "That end is in trouble, and so is the other.")),
            Option(Text("宽的一头：256 个元素太多", "the wide end: 256 elements are too many"), Text("这一头确实有问题，另一头也有。", "That end is in trouble, and so is the other.")),
            Option(Text("两头都有问题", "both ends"), Text("2 个元素装不满一次 16 字节的读，256 个装不进一个线程的寄存器。", "2 elements don't fill a 16-byte load, and 256 don't fit into a thread's registers.")),
        ],
        right=lambda found: 3 if found[0] * 4 < 16 and found[1] else 1 if found[0] * 4 < 16 else 2,
        result=lambda found: Text(f"窄的一头每个线程 {found[0]} 个元素，宽的一头有溢出。", f"At the narrow end a thread has {found[0]} elements; at the wide end it spills."),
    ),
    "shared": Question(
        measure=lambda: _warps(256),
        options=lambda warps: [
            Option(Text("要：归约总要经过共享内存", "yes: reductions go through shared memory"), Text("warp 之间才要。一个 warp 里的 lane 可以直接读彼此的寄存器。", "Between warps they do. The lanes of one warp can read each other's registers directly.")),
            Option(Text("不要", "no"), Text("一行归一个 warp，归约就在 warp 里做完。", "A row belongs to one warp, so its reductions stay inside the warp.")),
            Option(Text("要，但是少一半", "yes, but half as much"), Text("只要有一次跨 warp 的交换就要；这里一次也没有。", "A single exchange between warps would need some; here there is none.")),
        ],
        right=lambda warps: 1 if warps == 1 else 0,
        result=lambda warps: Text(f"每行 {warps} 个 warp：没有别的 warp 可交换。", f"{warps} warp to a row: no other warp to exchange with."),
    ),
    "meetings": Question(
        measure=_barriers,
        options=lambda found: [
            Option(Text("几乎不变", "hardly at all"), Text("一个 program 在等的时候，同一个 SM 上多半有别的 program 在读写。", "While one program waits, others on the same SM mostly load and store.")),
            Option(Text("快百分之几", "by a few per cent"), Text("等待确实少了，可是等的时候，SM 并没有闲着。", "There is less waiting, but the SM was not idle while a program waited.")),
            Option(Text("快一成以上", "by ten per cent or more"), Text("等待确实少了，可是等的时候，SM 并没有闲着。", "There is less waiting, but the SM was not idle while a program waited.")),
        ],
        right=lambda found: 2 if found[2] < -0.08 else 1 if found[2] < -0.015 else 0,
        result=lambda found: Text(f"屏障从 {found[0]} 个到 {found[1]} 个，用时 {_signed(found[2])}。", f"Barriers went from {found[0]} to {found[1]}, the time changed by {_signed(found[2])}."),
    ),
    "align": Question(
        measure=lambda: 1000 % 16,
        options=lambda rest: [
            Option(Text("知道：4000 字节能被 16 整除", "yes: 16 divides 4000 bytes"), Text("4000 能被 16 整除，可是编译器看到的参数是 1000 个元素。", "16 does divide 4000, but the argument that the compiler sees is 1000 elements.")),
            Option(Text("知道：它会在运行时检查地址", "yes: it checks addresses while running"), Text("读多宽写死在指令里，编译时就定了。", "The width of a load is part of the instruction, chosen when compiling.")),
            Option(Text("不知道：1000 不能被 16 整除", "no: 16 does not divide 1000"), Text("它按最坏的情况办，一次读 4 字节。", "It assumes the worst and loads 4 bytes at a time.")),
        ],
        right=lambda rest: 2 if rest else 0,
        result=lambda rest: Text(f"1000 除以 16 余 {rest}。", f"1000 leaves {rest} when divided by 16."),
    ),
    "hints": Question(
        measure=_hint_changes,
        options=lambda changes: [
            Option(Text("好：总会快一点", "yes: it always helps a little"), Text("输入已经在 L2 里的时候，它反而碍事。", "Where the input is in L2 already, it is in the way.")),
            Option(Text("看情况：宽度和缓存的状态都有关", "it depends, on the width and on the state of the cache"), Text("先问输入是不是已经在 L2 里。", "First ask whether the input is in L2 already.")),
            Option(Text("不好：总会慢一点", "no: it always costs a little"), Text("输入大过 L2 时，它让读进来的行多留一会儿。", "Where the input exceeds L2, it keeps what was loaded a little longer.")),
        ],
        right=lambda changes: 1 if min(changes) < -0.02 and max(changes) > 0.02 else 0 if min(changes) < -0.02 else 2,
        result=lambda changes: Text(f"float32，sustained 和 hot：用时变化从 {_signed(min(changes))} 到 {_signed(max(changes))}。", f"float32, sustained and hot: the time changes by {_signed(min(changes))} to {_signed(max(changes))}."),
    ),
    "early": Question(
        measure=_shares,
        options=lambda won: [
            Option(Text("一样多", "all alike"), Text("微秒数差不多，百分比差得远。", "In microseconds nearly; in per cent far from it.")),
            Option(Text("宽的行", "wide rows"), Text("省下的时间与行多宽无关，总时间越长越不起眼。", "What is saved doesn't depend on the width; the longer the whole, the less it counts.")),
            Option(Text("窄的行", "narrow rows"), Text("省下的是固定的一点时间，总时间越短，它占得越多。", "What is saved is a fixed amount, and counts most where the whole is short.")),
        ],
        right=lambda won: 2 if won[0] < won[1] - 0.02 else 1,
        result=lambda won: Text(f"256 列 {_signed(won[0])}，32768 列 {_signed(won[1])}。", f"256 columns {_signed(won[0])}, 32768 columns {_signed(won[1])}."),
    ),
    "worth": Question(
        measure=_worths,
        options=lambda won: [
            Option(Text("早到", "starting early"), Text("窄的行赢得多，宽的行几乎没有。", "Narrow rows gain a great deal, wide ones next to nothing.")),
            Option(Text("宽的读", "wide loads"), Text("奇数宽靠它，能被 16 整除的宽度却什么也没有得到。", "Odd widths gain a great deal; those that 16 divides gain nothing.")),
            Option(Text("碎块代替填充", "pieces instead of padding"), Text("它在 12671 列欠下的，几乎抵掉了别处赢来的。", "What it lost at 12671 columns nearly cancels what it won elsewhere.")),
            Option(Text("分活：每个线程至多 32 个元素", "shares: at most 32 elements to a thread"), Text("它最早，也最朴素，窄的、宽的、16 位的都靠它。", "It came first and is the plainest, and narrow, wide and 16-bit rows all gain by it.")),
        ],
        right=lambda won: won.index(min(won)),
        result=lambda won: Text(_listed(won, "，") + "。", _listed(won, ", ") + "."),
    ),
}  # fmt: skip
