"""The questions of 06_benchmark."""

from functools import partial

from ..language import Text
from ..measurements import measure
from ..measurements.stalls import counted
from ..measurements.states import moved
from .prediction import Option, Question


def _not_waited() -> tuple[float, float]:
    """Microseconds that a stopwatch shows that nobody lets wait, and those of the kernel."""
    shown = measure("answers", way=("not waited", "sustained"))
    return shown["not waited"], shown["sustained"]


def _megabytes(state: str) -> tuple[float, float]:
    read, written = moved(state)
    return read / 1e6, written / 1e6


def _slowest() -> dict[str, float]:
    """How busy the memory, the issue slots and the SFU are, in per cent, while 05's tile does 4097 columns of bfloat16."""
    found = counted("tile", 4097, "bfloat16")
    return {"memory": found["memory"], "issue": found["issue slots"], "sfu": found["sfu"]}


_BUSY = 70  # per cent
_LITTLE, _MUCH = 5, 25  # MB: less than a third of the matrix; one and a half of them


def _said(megabytes: tuple[float, float]) -> Text:
    read, written = megabytes
    return Text(
        f"录下的是读 {read:.1f} MB，写 {written:.1f} MB。", f"Recorded: {read:.1f} MB read, {written:.1f} MB written."
    )


QUESTIONS = {
    "stopwatch": Question(
        measure=_not_waited,
        options=[
            Option(Text("比 kernel 的时间短得多", "much less than the kernel's time"), Text("主机要是一两微秒就能启动，就是这样；从 Python 启动没有那么快。", "It would, if the host launched in a microsecond or two; from Python it does not.")),
            Option(Text("几乎正好是 kernel 的时间", "the kernel's time, almost exactly"), Text("要是启动会等 kernel 跑完，差不多就是这样；可它不等。", "It nearly would, if a launch waited for the kernel to end; it does not.")),
            Option(Text("比 kernel 的时间长得多", "much more than the kernel's time"), Text("秒表量到的是主机启动一次的时间，与 kernel 有多快无关。", "The stopwatch shows how long the host takes to launch, which has nothing to do with the kernel.")),
        ],
        right=lambda found: 0 if found[0] < 0.5 * found[1] else 1 if found[0] < 1.5 * found[1] else 2,
        result=lambda found: Text("秒表显示 {:.1f} µs，kernel 要 {:.1f} µs。".format(*found), "The stopwatch shows {:.1f} µs, the kernel takes {:.1f} µs.".format(*found)),
    ),
    "dirty": Question(
        measure=partial(_megabytes, "dirty"),
        options=[
            Option(Text("几乎是 0，和 clean 一样", "hardly anything, as in clean"), Text("clean 时，为腾地方丢掉的是读来的数据。这时 L2 有一半是脏的，再写就要先写回。", "What made room in clean had only been read. Here half of L2 is dirty, and before more is written, some of it must go.")),
            Option(Text("约 17 MB，给输出腾的地方", "about 17 MB, for the output"), Text("L2 至多一半是脏的。输入占了干净的那一半里的地方，不用写回；输出写多少，就要先写回多少。", "At most half of L2 is dirty. The input takes its room from the clean half, where nothing need be written; the output drives out as much as it writes.")),
            Option(Text("约 34 MB，给输入和输出腾的地方", "about 34 MB, for the input and the output"), Text("要是整个 L2 都是脏的，就是这样；可它至多一半是脏的。", "It would be, if all of L2 were dirty; but no more than half of it is.")),
        ],
        right=lambda moved: 0 if moved[1] < _LITTLE else 1 if moved[1] < _MUCH else 2,
        result=_said,
    ),
    "slowest": Question(
        measure=_slowest,
        options=[
            Option(Text("显存", "the memory"), Text("要是显存一直忙，速度就和复制一样了。", "If the memory were always busy, it would be as fast as a copy.")),
            Option(Text("算指数的 SFU", "the SFU, which does the exponentials"), Text("16 位时字节少了一半，指数一个不少；可 SFU 大半闲着。", "In 16 bits there are half the bytes and as many exponentials; but the SFU is mostly idle.")),
            Option(Text("两个都不是", "neither"), Text("这两个大半闲着；最忙的是发射槽，指令太多。", "Both are mostly idle; the issue slots are busiest: too many instructions.")),
        ],
        right=lambda busy: 0 if busy["memory"] > _BUSY else 1 if busy["sfu"] > _BUSY else 2,
        result=lambda busy: Text(
            "显存忙 {memory:.0f}%，发射槽 {issue:.0f}%，SFU {sfu:.0f}%。".format(**busy),
            "The memory is busy {memory:.0f}% of the time, the issue slots {issue:.0f}%, the SFU {sfu:.0f}%.".format(**busy),
        ),
    ),
}  # fmt: skip
