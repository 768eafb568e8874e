"""The questions of 06_benchmark."""

from ..measurements import measure
from ..measurements.stalls import counted
from ..measurements.states import moved
from .prediction import questions


def _not_waited() -> tuple[float, float, float]:
    """What a stopwatch shows that nobody lets wait, in units of the kernel's time; and both in microseconds."""
    shown = measure("answers", way=("not waited", "sustained"))
    return shown["not waited"] / shown["sustained"], shown["not waited"], shown["sustained"]


def _dirty() -> tuple[float, float]:
    """Megabytes written and read."""
    read, written = moved("dirty")
    return written / 1e6, read / 1e6


def _slowest() -> tuple[str, float, float, float]:
    """What is busy all the time while 05's tile does 4097 columns of bfloat16; how busy memory, issue slots and SFU are, in per cent."""
    found = counted("tile", 4097, "bfloat16")
    busy = [name for name in ("memory", "sfu") if found[name] > _BUSY]
    return (*busy, "neither")[0], found["memory"], found["issue slots"], found["sfu"]


_BUSY = 70

QUESTIONS = questions(
    """
stopwatch
秒表显示 {1:.1f} µs，kernel 要 {2:.1f} µs。 | The stopwatch shows {1:.1f} µs, the kernel takes {2:.1f} µs.
0.1: 比 kernel 的时间短得多 | much less than the kernel's time
主机要是一两微秒就能启动，就是这样；从 Python 启动没有那么快。
It would, if the host launched in a microsecond or two; from Python it does not.
1: 几乎正好是 kernel 的时间 | the kernel's time, almost exactly
要是启动会等 kernel 跑完，差不多就是这样；可它不等。
It nearly would, if a launch waited for the kernel to end; it does not.
3: 比 kernel 的时间长得多 | much more than the kernel's time
秒表量到的是主机启动一次的时间，与 kernel 有多快无关。
The stopwatch shows how long the host takes to launch, which has nothing to do with the kernel.

dirty
录下的是读 {1:.1f} MB，写 {0:.1f} MB。 | Recorded: {1:.1f} MB read, {0:.1f} MB written.
0: 几乎是 0，输出留在 L2 里 | hardly anything: the output stays in L2
输出是留下了；可是要给它腾地方，先得把更早的脏数据写回去。
The output does stay; but older dirty data has to be written back to make room for it.
17: 约 17 MB，给输出腾的地方 | about 17 MB, for the output
L2 至多一半是脏的。输入占了干净的那一半里的地方，不用写回；输出写多少，就要先写回多少。
At most half of L2 is dirty. The input takes its room from the clean half, where nothing need be written; the output drives out as much as it writes.
34: 约 34 MB，给输入和输出腾的地方 | about 34 MB, for the input and the output
要是整个 L2 都是脏的，就是这样；可它至多一半是脏的。
It would be, if all of L2 were dirty; but no more than half of it is.

slowest
显存忙 {1:.0f}%，发射槽 {2:.0f}%，SFU {3:.0f}%。 | The memory is busy {1:.0f}% of the time, the issue slots {2:.0f}%, the SFU {3:.0f}%.
memory: 显存 | the memory
要是显存一直忙，速度就和复制一样了。
If the memory were always busy, it would be as fast as a copy.
sfu: 算指数的 SFU | the SFU, which does the exponentials
16 位时字节少了一半，指数一个不少；可 SFU 大半闲着。
In 16 bits there are half the bytes and as many exponentials; but the SFU is mostly idle.
neither: 两个都不是 | neither
这两个大半闲着；最忙的是发射槽，指令太多。
Both are mostly idle; the issue slots are busiest: too many instructions.
""",
    stopwatch=_not_waited,
    dirty=_dirty,
    slowest=_slowest,
)
