"""The questions of 06_benchmark."""

from functools import partial

from ..language import Text
from ..measurements import recorded
from ..measurements.stalls import counted
from ..pretend_gpu import PretendGPU, Work
from .exam_gpus import QUIET
from .prediction import Option, Question

WORK = Work("large", 64 << 20)


def _stopwatch() -> float:
    gpu = PretendGPU(**QUIET)
    gpu.launch(WORK)
    gpu.synchronize()
    started = gpu.now()
    gpu.launch(WORK)
    return (gpu.now() - started) / gpu.true_seconds(WORK)


def _moved(state: str) -> tuple[float, float]:
    """MB that the memory read and wrote while `row` ran once, as recorded in a state of the cache."""
    shape = {"provider": "row", "dtype": "float32", "columns": 1024}
    (line,) = recorded("states", **shape, state=state)
    return line.read_bytes / 1e6, line.written_bytes / 1e6


def _slowest() -> dict[str, float]:
    """How busy the memory, the issue slots and the SFU are, in per cent, while 05's tile does 4097 columns of bfloat16."""
    found = counted("tile", 4097, "bfloat16")
    return {"memory": found["memory"], "issue": found["issue slots"], "sfu": found["sfu"]}


_BUSY = 70  # per cent
_LITTLE, _MUCH = 5, 25  # MB: less than a third of the matrix; one and a half of them


def _said(moved: tuple[float, float]) -> Text:
    read, written = moved
    return Text(
        f"录下的是读 {read:.1f} MB，写 {written:.1f} MB。", f"Recorded: {read:.1f} MB read, {written:.1f} MB written."
    )


QUESTIONS = {
    "stopwatch": Question(
        measure=_stopwatch,
        options=lambda share: [
            Option(Text("比 kernel 的时间短得多", "much shorter than the kernel's time"), Text("launch() 把工作放进队列就返回，秒表只量到这一下。", "launch() returns as soon as the work is queued, and the stopwatch sees only that.")),
            Option(Text("几乎正好是 kernel 的时间", "the kernel's time, almost exactly"), Text("要是 launch() 会等 kernel 跑完，就是这样；可它不等。", "It would be, if launch() waited for the kernel to end; it does not.")),
            Option(Text("比 kernel 的时间长，多了启动", "longer than the kernel's time, by the launch"), Text("启动的确要花时间；但停表的时候，kernel 还在跑。", "Launching does take time; but when the clock stops, the kernel is still running.")),
        ],
        right=lambda share: 0 if share < 0.5 else (1 if share < 1.05 else 2),
        result=lambda share: Text(f"秒表量到的只是真值的 {share:.1%}。", f"The stopwatch shows {share:.1%} of the truth."),
    ),
    "dirty": Question(
        measure=partial(_moved, "dirty"),
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
            Option(Text("两个都不是", "neither"), Text("哪个单元都没有一直忙，warp 大多在等。", "No unit is always busy; most of the time the warps wait.")),
        ],
        right=lambda busy: 0 if busy["memory"] > _BUSY else 1 if busy["sfu"] > _BUSY else 2,
        result=lambda busy: Text(
            "显存忙 {memory:.0f}%，发射槽 {issue:.0f}%，SFU {sfu:.0f}%。".format(**busy),
            "The memory is busy {memory:.0f}% of the time, the issue slots {issue:.0f}%, the SFU {sfu:.0f}%.".format(**busy),
        ),
    ),
}  # fmt: skip
