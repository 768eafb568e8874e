"""The questions of 06_benchmark."""

from functools import partial

from ..language import Text
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
    from ..measurements import recorded

    (line,) = recorded("states", provider="row", dtype="float32", columns=1024, state=state)
    return line.read_bytes / 1e6, line.written_bytes / 1e6


def _narrow() -> dict[str, float]:
    """How many times as fast as the fastest opponent `row` is with the launcher's warps, at 256 columns, in two states."""
    from ..measurements.times import beside_the_best

    return {state: beside_the_best("occupancy", "float32", state)[256] for state in ("sustained", "hot")}


def _half_as_fast() -> dict[str, float]:
    """How busy the memory, the busiest unit and the SFU are, in per cent, while `row` does 8576 columns of bfloat16."""
    from ..measurements.report import busy, read_report

    return dict(zip(("memory", "unit", "sfu"), busy(read_report("row bfloat16 8576"))))


_BUSY = 60  # per cent
_LITTLE = 5  # MB: less than a third of the matrix


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
    "hot": Question(
        measure=partial(_moved, "hot"),
        options=[
            Option(Text("读约 17 MB，写约 17 MB", "reads about 17 MB, writes about 17 MB"), Text("kernel 的确读写了这么多；可读的在 L2 里就找到了，写的也先放在 L2 里。", "The kernel does read and write that much; but it finds its input in L2, and what it writes stays there at first.")),
            Option(Text("读几乎是 0，写约 17 MB", "reads hardly anything, writes about 17 MB"), Text("读说对了。写也可以先欠着：输出先留在 L2 里。", "Right about reading. Writing can be put off, too: the output stays in L2 at first.")),
            Option(Text("读几乎是 0，写也不到 5 MB", "reads hardly anything, writes less than 5 MB"), Text("输入还在 L2 里，输出大半也先留在 L2 里。", "The input is still in L2, and most of the output stays there at first.")),
        ],
        right=lambda moved: 0 if moved[0] > _LITTLE else 1 if moved[1] > _LITTLE else 2,
        result=_said,
    ),
    "dirty": Question(
        measure=partial(_moved, "dirty"),
        options=[
            Option(Text("几乎是 0，输出还是留在 L2 里", "hardly anything: the output stays in L2 again"), Text("输出确实还在 L2 里。可是 L2 里满是还没写回的数据，得先替它们付账，才有地方。", "The output does stay in L2. But L2 is full of data not yet written back, and they must go first to make room.")),
            Option(Text("约 17 MB，是冲缓存时写的", "about 17 MB: what the flush wrote"), Text("自己的输出多半仍在 L2 里，付的是别人的账。", "Most likely its own output stays in L2, and what it pays for is somebody else's.")),
            Option(Text("约 17 MB，是它自己的输出", "about 17 MB: its own output"), Text("数目对了，可这些多半不是它自己的：上一节冲得干净，它的输出就留在 L2 里没有写。", "The amount is right, but most likely it is not its own: after a flush by reading, its output stayed in L2 unwritten.")),
        ],
        right=lambda moved: 1 if moved[1] > _LITTLE else 0,
        result=_said,
    ),
    "half_as_fast": Question(
        measure=_half_as_fast,
        options=[
            Option(Text("显存，和上面一样", "the memory, as above"), Text("要是显存一直忙，速度就和别人一样了。", "If the memory were always busy, it would be as fast as the others.")),
            Option(Text("算指数的 SFU", "the SFU, which does the exponentials"), Text("16 位时字节少了一半，指数一个不少；可 SFU 还是大半闲着。", "In 16 bits there are half the bytes and as many exponentials; but the SFU is still mostly idle.")),
            Option(Text("两个都不是，都闲了一大半", "neither: both are idle more than half the time"), Text("没有谁在忙：大家都在等。", "Nobody is busy: they all wait.")),
        ],
        right=lambda busy: 0 if busy["memory"] > _BUSY else 1 if busy["sfu"] > _BUSY else 2,
        result=lambda busy: Text(
            "显存忙 {memory:.0f}%，最忙的单元 {unit:.0f}%，SFU {sfu:.0f}%。".format(**busy),
            "The memory is busy {memory:.0f}% of the time, the busiest unit {unit:.0f}%, the SFU {sfu:.0f}%.".format(**busy),
        ),
    ),
    "narrow_and_hot": Question(
        measure=_narrow,
        options=[
            Option(Text("输了", "it loses"), Text("不用等显存，启动那 4096 个很小的 program 就显出来了。", "With no memory to wait for, starting 4096 tiny programs shows.")),
            Option(Text("还是领先，差距更小", "it still leads, by less"), Text("多出的 4 微秒是会把差距缩小；可 hot 连显存都不用等，别的差别露了出来。", "The surplus of 4 microseconds does shrink a lead; but hot, nobody waits for the memory, and other differences show.")),
            Option(Text("领先得更多", "it leads by more"), Text("不用等显存，谁本来快，差距就更明显；可快的未必是它。", "With no memory to wait for, a difference does show more; but which way it goes is another matter.")),
        ],
        right=lambda ahead: 0 if ahead["hot"] < 1 else 1 if ahead["hot"] < ahead["sustained"] else 2,
        result=lambda ahead: Text("sustained：{sustained:.2f}，hot：{hot:.2f}。".format(**ahead), "Sustained {sustained:.2f}, hot {hot:.2f}.".format(**ahead)),
    ),
}  # fmt: skip
