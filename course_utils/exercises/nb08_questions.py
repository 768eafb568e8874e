"""What 08_to_the_limit lets the learner predict, and how each result is found."""

import torch

from ..language import Text
from .prediction import Option, Question


def _constants(step: str, columns: int, dtype=torch.float32) -> dict:
    from ..softmax.ladder import launch_for

    return launch_for(step, columns, dtype).constants


def _idle() -> float:
    c = _constants("pieces", 2049)
    return 1 - 2049 / (c["PIECES"] * c["WARPS"] * c["LANES"])


def _won(step: str, before: str, columns: int, dtype="float32", state="sustained") -> float:
    """The change in time from one recorded step to another."""
    from ..timing import ladder

    rungs = ladder.at(columns, dtype, state)
    return rungs[step].median_us / rungs[before].median_us - 1


def _both_ends() -> tuple[int, int]:
    """Elements of a thread in the row kernel, and how many registers it spills, at 32768 columns as recorded."""
    from ..timing import ladder

    return 256 // 128, ladder.at(32768)["row"].spills


def _resident() -> tuple[int, int]:
    from ..timing import ladder

    rungs = ladder.at(3072, "bfloat16")
    return rungs["powers"].at_once, rungs["registers"].at_once


def _hint_changes() -> list[float]:
    from ..timing import ladder

    return [_won("hints", "wide", n, state=s) for n in ladder.COLUMNS for s in ("sustained", "hot")]


def _shares() -> tuple[float, float]:
    return _won("early", "fitted", 256), _won("early", "fitted", 32768)


def _signed(share: float) -> str:
    return f"{share:+.1%}".replace("-", "−")


QUESTIONS = {
    "share": Question(
        measure=_both_ends,
        options=lambda found: [
            Option(Text("窄的一头：2 个元素太少", "the narrow end: 2 elements are too few"), Text("这一头确实有问题，另一头也有。", "That end is in trouble, and so is the other.")),
            Option(Text("宽的一头：256 个元素太多", "the wide end: 256 elements are too many"), Text("这一头确实有问题，另一头也有。", "That end is in trouble, and so is the other.")),
            Option(Text("两头都有问题", "both ends"), Text("2 个元素装不满一次 16 字节的读，256 个装不进一个线程的寄存器。", "2 elements don't fill a 16-byte load, and 256 don't fit into a thread's registers.")),
            Option(Text("都没有：字节数一样", "neither: the bytes are the same"), Text("字节数一样，时间不一样：这一本讲的就是这个。", "The bytes are the same and the time is not: that is what this notebook is about.")),
        ],
        right=lambda found: 2 if found[0] * 4 < 16 and found[1] else 0 if found[0] * 4 < 16 else 1,
        result=lambda found: Text(f"窄的一头每个线程 {found[0]} 个元素，宽的一头有溢出。", f"At the narrow end a thread has {found[0]} elements; at the wide end it spills."),
    ),
    "pieces": Question(
        measure=_idle,
        options=lambda idle: [
            Option(Text("50%：与原来差不多", "50%: about as before"), Text("那是 4096 的块。碎块可以取 5 块，不必取 8 块。", "That is a block of 4096. Pieces come five at a time if five will do, not eight.")),
            Option(Text("20%", "20%"), Text("5 块共 2560 个位置，2049 个用上了。", "Five pieces are 2560 places, and 2049 are in use.")),
            Option(Text("几乎没有", "next to none"), Text("最后一块只用上 1 个元素，其余的还是空着。", "The last piece holds a single element; the rest of it is still idle.")),
        ],
        right=lambda idle: min(range(3), key=lambda k: abs((0.5, 0.2, 0.0)[k] - idle)),
        result=lambda idle: Text(f"空着 {idle:.0%}。", f"{idle:.0%} are idle."),
    ),
    "shared": Question(
        measure=lambda: _constants("pieces", 256)["WARPS"],
        options=lambda warps: [
            Option(Text("要：归约总要经过共享内存", "yes: reductions go through shared memory"), Text("warp 之间才要。一个 warp 里的 lane 可以直接读彼此的寄存器。", "Between warps they do. The lanes of one warp can read each other's registers directly.")),
            Option(Text("不要", "no"), Text("一行归一个 warp，归约就在 warp 里做完。", "A row belongs to one warp, so its reductions stay inside the warp.")),
            Option(Text("要，但是少一半", "yes, but half as much"), Text("只要有一次跨 warp 的交换就要；这里一次也没有。", "A single exchange between warps would need some; here there is none.")),
        ],
        right=lambda warps: 1 if warps == 1 else 0,
        result=lambda warps: Text(f"每行 {warps} 个 warp：没有别的 warp 可交换。", f"{warps} warp to a row: no other warp to exchange with."),
    ),
    "meetings": Question(
        measure=lambda: 1,
        options=lambda count: [
            Option(Text("一次也不用", "never"), Text("每个 warp 只知道自己的那一份，整行的和还得凑在一起。", "Each warp knows its own share only; the row's sum must still be put together.")),
            Option(Text("一次", "once"), Text("一对 (m, s) 里最大值与和都有了，一起合并。", "A pair (m, s) has maximum and sum in it, and they are merged together.")),
            Option(Text("还是两次", "still twice"), Text("和不必等整行的最大值：用自己的先加，差一个系数，合并时补上。", "The sum need not wait for the row's maximum: add with your own; the merge supplies the missing factor.")),
        ],
        right=lambda count: count,
        result=lambda count: Text("见一次面。", "They meet once."),
    ),
    "divisions": Question(
        measure=lambda: 1,
        options=lambda count: [
            Option(Text("32 次：每个元素都要除以和", "32: every element is divided by the sum"), Text("除以同一个数，可以先求倒数，再乘 32 次。", "They are all divided by the same number: take its reciprocal once, and multiply 32 times.")),
            Option(Text("8 次：每次写一次", "8: one for every store"), Text("每个元素的除数都一样，与写几次无关。", "The divisor is the same for every element, however many stores there are.")),
            Option(Text("1 次", "1"), Text("repair ÷ s 对一个 warp 里的所有元素都一样，算一次就够。", "repair ÷ s is the same for all elements of a warp, so once will do.")),
        ],
        right=lambda count: 2 if count == 1 else 0,
        result=lambda count: Text(f"{count} 次。", f"{count}."),
    ),
    "registers": Question(
        measure=_resident,
        options=lambda resident: [
            Option(Text("限到 32 个：驻留 16 个 program，最快", "limit them to 32: 16 resident programs are fastest"), Text("48 个元素放不进 32 个寄存器，放不下的都要经过显存。", "48 elements don't fit into 32 registers, and what doesn't fit goes through memory.")),
            Option(Text("限到 64 个：多驻留一个", "limit them to 64: one more is resident"), Text("元素放得下，余下 16 个也够用。", "The elements fit, and the 16 others will do.")),
            Option(Text("不限：编译器最清楚", "don't limit them: the compiler knows best"), Text("编译器不知道一个 SM 上要驻留几个 program，它只管一个线程。", "The compiler sees one thread; it doesn't know how many programs should be resident.")),
        ],
        right=lambda resident: 1 if resident[1] == resident[0] + 1 else 2,
        result=lambda resident: Text(f"驻留的 program：{resident[0]} → {resident[1]}。", f"Resident programs: {resident[0]} → {resident[1]}."),
    ),
    "align": Question(
        measure=lambda: 1000 % 16,
        options=lambda rest: [
            Option(Text("知道：4000 字节能被 16 整除", "yes: 16 divides 4000 bytes"), Text("4000 能被 16 整除，可是编译器看到的参数是 1000 个元素。", "16 does divide 4000, but the argument that the compiler sees is 1000 elements.")),
            Option(Text("不知道：1000 不能被 16 整除", "no: 16 does not divide 1000"), Text("它按最坏的情况办，一次读 4 字节。", "It assumes the worst and loads 4 bytes at a time.")),
            Option(Text("知道：它会在运行时检查地址", "yes: it checks addresses while running"), Text("读多宽写死在指令里，编译时就定了。", "The width of a load is part of the instruction, chosen when compiling.")),
        ],
        right=lambda rest: 1 if rest else 0,
        result=lambda rest: Text(f"1000 除以 16 余 {rest}。", f"1000 leaves {rest} when divided by 16."),
    ),
    "hints": Question(
        measure=_hint_changes,
        options=lambda changes: [
            Option(Text("好：总会快一点", "yes: it always helps a little"), Text("输入已经在 L2 里的时候，它反而碍事。", "Where the input is in L2 already, it is in the way.")),
            Option(Text("不好：总会慢一点", "no: it always costs a little"), Text("输入大过 L2 时，它让读进来的行多留一会儿。", "Where the input exceeds L2, it keeps what was loaded a little longer.")),
            Option(Text("看情况：宽度和缓存的状态都有关", "it depends, on the width and on the state of the cache"), Text("先问输入是不是已经在 L2 里。", "First ask whether the input is in L2 already.")),
        ],
        right=lambda changes: 2 if min(changes) < -0.02 and max(changes) > 0.02 else 0 if min(changes) < -0.02 else 1,
        result=lambda changes: Text(f"float32：从 {_signed(min(changes))} 到 {_signed(max(changes))}。", f"float32: from {_signed(min(changes))} to {_signed(max(changes))}."),
    ),
    "early": Question(
        measure=_shares,
        options=lambda won: [
            Option(Text("窄的行", "narrow rows"), Text("省下的是固定的一点时间，总时间越短，它占得越多。", "What is saved is a fixed amount, and counts most where the whole is short.")),
            Option(Text("宽的行", "wide rows"), Text("省下的时间与行多宽无关，总时间越长越不起眼。", "What is saved doesn't depend on the width; the longer the whole, the less it counts.")),
            Option(Text("一样多", "all alike"), Text("微秒数差不多，百分比差得远。", "In microseconds nearly; in per cent far from it.")),
        ],
        right=lambda won: 0 if won[0] < won[1] - 0.02 else 1,
        result=lambda won: Text(f"256 列 {_signed(won[0])}，32768 列 {_signed(won[1])}。", f"256 columns {_signed(won[0])}, 32768 columns {_signed(won[1])}."),
    ),
}  # fmt: skip
