"""The questions of 06_benchmark."""

from statistics import mean

from ..language import Text
from ..pretend_gpu import PretendGPU
from .benchmarks import QUIET, WORKS
from .prediction import Option, Question

LARGE, SMALL = WORKS["large"], WORKS["small"]


def _stopwatch() -> float:
    gpu = PretendGPU(**QUIET)
    gpu.launch(LARGE)
    gpu.synchronize()
    started = gpu.now()
    gpu.launch(LARGE)
    return (gpu.now() - started) / gpu.true_seconds(LARGE)


def _repeated() -> float:
    gpu = PretendGPU(**QUIET)
    gpu.launch(SMALL)
    gpu.launch(SMALL)  # keeps the queue full, so that no launch is waited for
    begin = gpu.event()
    gpu.launch(SMALL)
    end = gpu.event()
    gpu.synchronize()
    return gpu.true_seconds(SMALL) / (end.at - begin.at)


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
            Option(Text("几乎正好是内核的时间", "the kernel's time, almost exactly"), Text("要是 launch() 会等内核跑完，就是这样；可它不等。", "It would be, if launch() waited for the kernel to end; it does not.")),
            Option(Text("比内核的时间长，多了启动", "longer than the kernel's time, by the launch"), Text("启动的确要花时间；但停表的时候，内核还在跑。", "Launching does take time; but when the clock stops, the kernel is still running.")),
            Option(Text("比内核的时间短得多", "much shorter than the kernel's time"), Text("launch() 把工作放进队列就返回，秒表只量到这一下。", "launch() returns as soon as the work is queued, and the stopwatch sees only that.")),
        ],
        right=lambda share: 2 if share < 0.5 else (0 if share < 1.05 else 1),
        result=lambda share: Text(f"秒表量到的只是真值的 {share:.1%}。", f"The stopwatch shows {share:.1%} of the truth."),
    ),
    "repeated": Question(
        measure=_repeated,
        options=lambda times: [
            Option(Text("一样快", "the same"), Text("同样的工作、同样的字节，没错；但字节这回从更近的地方来。", "The same work and the same bytes, true; but this time the bytes come from nearer by.")),
            Option(Text("第二次快得多", "the second is much faster"), Text("40 MiB 都还留在 L2 里，不必再去显存取。", "All 40 MiB are still in L2; no trip to DRAM is needed.")),
            Option(Text("第二次更慢", "the second is slower"), Text("GPU 会发热降频，长时间满载时确有其事；但这里只跑了两次。", "GPUs do slow down when hot, under long full load; this is two launches.")),
        ],
        right=lambda times: 1 if times > 1.2 else (0 if times > 0.8 else 2),
        result=lambda times: Text(f"第二次的速度是冷缓存时的 {times:.1f} 倍。", f"The second is {times:.1f} times as fast as with a cold cache."),
    ),
}  # fmt: skip
