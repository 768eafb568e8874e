"""The questions of 06_benchmark."""

from statistics import mean

from ..language import Text
from ..pretend_gpu import PretendGPU
from .benchmarks import QUIET, WORKS
from .prediction import Option, Question

WORK = WORKS["large"]


def _stopwatch() -> float:
    gpu = PretendGPU(**QUIET)
    gpu.launch(WORK)
    gpu.synchronize()
    started = gpu.now()
    gpu.launch(WORK)
    return (gpu.now() - started) / gpu.true_seconds(WORK)


def _unpaid() -> tuple[float, float]:
    """MB that the memory took in while one recorded softmax ran: after a flush that reads, after one that writes."""
    from ..timing import read

    written = {
        line["state"]: int(line["written_bytes"]) / 1e6
        for line in read("states").lines
        if (line["provider"], line["dtype"], line["columns"]) == ("softmax", "bfloat16", "2048")
    }
    return written["clean"], written["dirty"]


def _tutorial_wins() -> float:
    """At what share of the recorded widths the tutorial's launcher is faster than torch.softmax."""
    from ..timing import times

    curves = times("sustained").curves("float32")
    return mean(curves["tutorial"][n] > curves["torch"][n] for n in curves["tutorial"])


QUESTIONS = {
    "tutorial_wins": Question(
        measure=_tutorial_wins,
        options=lambda share: [
            Option(Text("全部", "at all of them"), Text("大多数没错；窄的矩阵是例外。", "At most of them, true; narrow matrices are the exception.")),
            Option(Text("九成左右", "at some nine in ten"), Text("中等宽度它几乎都快；输的多半是最窄的那几种。", "At medium widths it nearly always is; where it loses is mostly at the narrowest.")),
            Option(Text("一半左右", "at about half"), Text("torch.softmax 并不慢，但中等宽度上它离复制的速度还差不少。", "torch.softmax is not slow, but at medium widths it is far from the speed of a copy.")),
            Option(Text("一种也没有", "at none"), Text("“一定更快”不对，“一定更慢”也不对：要看宽度。", "“Always faster” is wrong, and so is “never”: it depends on the width.")),
        ],
        right=lambda share: min(range(4), key=lambda k: abs((1, 0.9, 0.5, 0)[k] - share)),
        result=lambda share: Text(f"录下的宽度里有 {share:.0%} 更快。", f"It is faster at {share:.0%} of the recorded widths."),
    ),
    "stopwatch": Question(
        measure=_stopwatch,
        options=lambda share: [
            Option(Text("几乎正好是 kernel 的时间", "the kernel's time, almost exactly"), Text("要是 launch() 会等 kernel 跑完，就是这样；可它不等。", "It would be, if launch() waited for the kernel to end; it does not.")),
            Option(Text("比 kernel 的时间长，多了启动", "longer than the kernel's time, by the launch"), Text("启动的确要花时间；但停表的时候，kernel 还在跑。", "Launching does take time; but when the clock stops, the kernel is still running.")),
            Option(Text("比 kernel 的时间短得多", "much shorter than the kernel's time"), Text("launch() 把工作放进队列就返回，秒表只量到这一下。", "launch() returns as soon as the work is queued, and the stopwatch sees only that.")),
        ],
        right=lambda share: 2 if share < 0.5 else (0 if share < 1.05 else 1),
        result=lambda share: Text(f"秒表量到的只是真值的 {share:.1%}。", f"The stopwatch shows {share:.1%} of the truth."),
    ),
    "unpaid": Question(
        measure=_unpaid,
        options=lambda written: [
            Option(Text("两次都约 17 MB，就是它自己的输出", "about 17 MB both times: its own output"), Text("输出确实要写；可是写回显存的时机，由 L2 说了算。", "The output is written, true; but when it goes on to memory is for L2 to say.")),
            Option(Text("用读来冲，几乎是 0；用写来冲，约 17 MB", "nearly 0 after reading, about 17 MB after writing"), Text("自己的输出都留在 L2 里没付账。用写来冲的那一次，付的是别人的账。", "Its own output stays in L2, unpaid, both times. After writing, what it pays for is somebody else's.")),
            Option(Text("两次都几乎是 0，输出留在 L2 里", "nearly 0 both times: the output stays in L2"), Text("一半对：L2 里要是满是还没写回的字节，就得先替它们腾地方。", "Half right: if L2 is full of bytes that were never written back, they must make room first.")),
        ],
        right=lambda written: 1 if written[0] < 3 < written[1] else 0 if written[0] > 3 else 2,
        result=lambda written: Text(f"录下的是 {written[0]:.1f} MB 和 {written[1]:.1f} MB。", f"Recorded: {written[0]:.1f} MB and {written[1]:.1f} MB."),
    ),
}  # fmt: skip
