"""The questions of 06_benchmark."""

from ..measurements import measure
from ..measurements.stalls import counted
from ..measurements.states import moved
from .prediction import questions


def _believed() -> tuple[str, float]:
    """Whose answer is the kernel's time, within 5 %; and that time in microseconds."""
    ways = ("waited", "in a row", "same input", "flushed")
    shown = measure("answers", way=(*ways, "sustained"))
    true = shown["sustained"]
    return (*(way for way in ways if abs(shown[way] / true - 1) < 0.05), "none")[0], true


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
believed
kernel 要 {1:.1f} µs。 | The kernel takes {1:.1f} µs.
waited: `waited`，它等 kernel 做完了 | `waited`: it waits for the kernel's end
等是等了，可主机的时间也量了进去。
It waits, but it times the host as well.
in a row: `in a row`，用的是 GPU 的事件 | `in a row`: it has the GPU's own events
事件没有错；可是队列空了，GPU 在等主机。
The events are right; but the queue ran dry, and the GPU waited for the host.
same input: `same input`，它最快 | `same input`: it is the fastest
它的输入一直在 L2 里，不用从显存读。
Its input stays in L2 and is never read from memory.
flushed: `flushed`，它冲过缓存 | `flushed`: it flushes the cache
它搬的字节不错；可是单独启动一次，要多出两三微秒。
It moves the right bytes; but a launch timed by itself takes two or three microseconds more.
none: 一个也不信 | none of them
每一个都错了，错法各不相同。
All of them are wrong, each in its own way.

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
    believed=_believed,
    dirty=_dirty,
    slowest=_slowest,
)
