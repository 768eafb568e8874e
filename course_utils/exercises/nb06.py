"""The exercises and the questions of 06_benchmark: five benchmarks with a flaw, on a GPU whose true times are known."""

from statistics import mean, median

from ..language import Text
from ..pretend_gpu import PretendGPU, Work
from .engine import Exercise, Wrong
from .prediction import Option, Question
from .probes import number

LARGE, SMALL = Work("large", 64 << 20), Work("small", 20 << 20)  # the small one fits the cache


def _near(got: float, want: float, share: float = 0.03) -> bool:
    return abs(got - want) <= share * want


class TightLipped(PretendGPU):
    """A GPU that launches like any other, and does not tell the truth to whoever asks."""

    def true_seconds(self, work: Work) -> float:
        raise Wrong("true_seconds 是标准答案；这里要测出来。", "true_seconds is the answer key; measure it.")

    def launch(self, work: Work) -> None:
        self.true_seconds = super().true_seconds  # a launch has to know
        super().launch(work)
        del self.true_seconds


def _run(answer, work: Work, **gpu) -> tuple[float, float]:
    """What the answer measures on a fresh GPU, and the truth."""
    return number(answer, TightLipped(**gpu), work), PretendGPU(**gpu).true_seconds(work)


QUIET = {"jitter": 0.0, "hiccup": 1.0}


def _refuse_nonsense(got: float, truth: float) -> None:
    if got <= 0:
        raise Wrong("测得的时间不是正数。", "The measured time is not positive.")
    for factor, zh, en in [
        (1e3, "单位应是秒，这是毫秒。", "The unit should be seconds; these are milliseconds."),
        (1e6, "单位应是秒，这是微秒。", "The unit should be seconds; these are microseconds."),
    ]:
        if _near(got, truth * factor, 0.3):
            raise Wrong(zh, en)


def _warm(answer):
    for work in (LARGE, Work("other", 96 << 20)):
        got, truth = _run(answer, work, **QUIET)
        _refuse_nonsense(got, truth)
        if got > 0.3:
            raise Wrong(
                "第一次启动要编译，这 0.35 秒也算进去了。计时之前先启动一次。",
                "The first launch compiles, and those 0.35 s are in your time. Launch once before the clock starts.",
            )
        if got > 0.003:
            raise Wrong(
                "编译的时间还分摊在里面：预热要放在开始计时之前。",
                "The compilation is still spread over it: warm up before the clock starts.",
            )
        if _near(got, 5e-6, 0.2):
            raise Wrong(
                "只量到了启动本身：停表之前要 synchronize()。",
                "That is the launch alone: synchronize() before the clock stops.",
            )
        if got > truth * 1.5:
            raise Wrong(
                "预热的那一次还在队列里：开始计时之前也要 synchronize()。",
                "The warm-up is still in the queue: synchronize() before the clock starts, too.",
            )
        if not _near(got, truth, 0.2):
            raise Wrong(
                f"真值是 {truth:.3g} 秒，你量到 {got:.3g} 秒。",
                f"The truth is {truth:.3g} s; you measured {got:.3g} s.",
            )


def _asynchronous(answer):
    for work in (LARGE, Work("other", 96 << 20)):
        got, truth = _run(answer, work, launch_cost=1e-7, **QUIET)  # waiting after each of the 10 will do as well
        if 0 < got < truth * 0.5:
            raise Wrong(
                "launch() 立刻就返回：你量的是把工作放进队列的时间。停表之前 synchronize()。",
                "launch() returns at once: you measured how long it takes to queue the work. synchronize() before the clock stops.",
            )
        if got > 0.003:
            raise Wrong("编译也算进去了：先预热。", "The compilation is in it: warm up first.")
        _refuse_nonsense(got, truth)
        if not _near(got, truth, 0.05):  # with the warm-up still in the queue it is 11/10
            raise Wrong(
                f"真值是 {truth:.3g} 秒，你量到 {got:.3g} 秒：开始与停表之前，队列都要是空的。",
                f"The truth is {truth:.3g} s; you measured {got:.3g} s: the queue should be empty when the clock starts and when it stops.",
            )


def _cold(answer):
    for work in (SMALL, Work("other", 12 << 20)):
        got, truth = _run(answer, work, launch_cost=1e-7, **QUIET)
        _refuse_nonsense(got, truth)
        if _near(got, truth / 3, 0.1):
            raise Wrong(
                "从第二次起，数据都在 L2 里了，速度成了 3 倍。每次启动之前 flush() 一次。",
                "From the second launch on the data is in L2, three times as fast. flush() before every launch.",
            )
        if _near(got, truth + 50e6 / 4.1e12, 0.1):
            raise Wrong(
                "flush() 自己的时间也算进去了：先 flush()，再放开始的事件。",
                "flush() takes time as well, and it is in yours: flush() first, then place the starting event.",
            )
        if not _near(got, truth):
            raise Wrong(
                f"真值是 {truth:.3g} 秒，你量到 {got:.3g} 秒。",
                f"The truth is {truth:.3g} s; you measured {got:.3g} s.",
            )


def _typical(answer):
    durations = [1.0e-5, 1.02e-5, 0.99e-5, 9.0e-5, 1.01e-5, 1.0e-5, 0.98e-5, 1.03e-5, 1.0e-5, 8.8e-5]
    for samples in (durations, durations[:7], [3.0, 1.0, 2.0], [4.0, 1.0, 2.0, 3.0]):
        got, want = number(answer, list(samples)), median(samples)
        if _near(got, want, 1e-6):
            continue
        if _near(got, mean(samples), 1e-6):
            raise Wrong(
                "平均值被那几次打岔拖走了：用中位数。",
                "The mean is dragged away by the few hiccups: use the median.",
            )
        if _near(got, min(samples), 1e-6):
            raise Wrong(
                "最小值是最走运的一次，不是典型的一次；用中位数，再报出四分位数。",
                "The minimum is the luckiest run, not a typical one; use the median, and report the quartiles beside it.",
            )
        if got in samples and got == list(samples)[len(samples) // 2]:
            raise Wrong("取中间一个之前要先排序。", "Sort before taking the one in the middle.")
        raise Wrong(
            f"{len(samples)} 个样本的中位数应是 {want:.4g}，你给的是 {got:.4g}。个数为偶数时，取中间两个的平均。",
            f"The median of these {len(samples)} samples is {want:.4g}; you gave {got:.4g}. With an even number, average the two in the middle.",
        )


def _fair(answer):
    for rows, columns, itemsize, seconds in [
        (4096, 4096, 4, 4e-5),
        (4096, 781, 2, 1e-5),
        (8, 1 << 20, 4, 3e-5),
        (1, 3, 2, 0.7),
    ]:
        got, want = number(answer, rows, columns, itemsize, seconds), 2 * rows * columns * itemsize / seconds / 1e9
        if _near(got, want, 1e-6):
            continue
        for value, zh, en in [
            (want / 2, "读和写都要算：2MN。", "Count reads and writes: 2MN."),
            (want * 4, "融合内核没有搬 8MN：这把尺子对谁都用 2MN，才比得公平。", "The fused kernel does not move 8MN: the scale is fair only if it is 2MN for everybody."),
            (want * 1e9 / 2**30, "GB 是 10⁹ 字节，2³⁰ 是 GiB。", "A GB is 10⁹ bytes; 2³⁰ is a GiB."),
            (want / itemsize, "这是每秒多少个元素，不是字节。", "Those are elements a second, not bytes."),
            (want * 1e9, "这是字节每秒；再除以 10⁹。", "Those are bytes a second; divide by 10⁹."),
            (2 * rows * columns * itemsize // seconds / 1e9, "你用了整除 //；结果不是整数。", "You divided with //; the result is not a whole number."),
            (want // 1, "你用了整除 //；结果不是整数。", "You divided with //; the result is not a whole number."),
            (want * 4 / itemsize, "元素不总是 4 字节。", "An element does not always take 4 bytes."),
        ]:  # fmt: skip
            if _near(got, value, 1e-6):
                raise Wrong(zh, en)
        raise Wrong(f"应得 {want:.6g} GB/s，你给的是 {got:.6g}。", f"It should be {want:.6g} GB/s; you gave {got:.6g}.")


EXERCISES = {
    "warm_benchmark": Exercise(
        "warm_benchmark",
        _warm,
        Text(
            "预热不只是为了编译：时钟频率、缓存、分配器，都要先动起来。",
            "Warming up is not for the compiler alone: clocks, caches and allocators want to get going as well.",
        ),
    ),
    "waiting_benchmark": Exercise(
        "waiting_benchmark",
        _asynchronous,
        Text(
            "异步是 GPU 快的原因之一；测量时要记得等它。",
            "Being asynchronous is part of what makes a GPU fast; when you measure, wait for it.",
        ),
    ),
    "cold_benchmark": Exercise(
        "cold_benchmark",
        _cold,
        Text(
            "冷缓存是最坏的情形，也最公平；热缓存有时更接近真实用法。两种都行，但要说明是哪一种。",
            "A cold cache is the worst case and the fairest; a warm one is sometimes closer to real use. Either will do, if you say which.",
        ),
    ),
    "typical_seconds": Exercise(
        "typical_seconds",
        _typical,
        Text(
            "中位数不理会几次打岔；四分位数则说出它有多稳。",
            "The median ignores a few hiccups, and the quartiles say how steady it is.",
        ),
    ),
    "fair_gigabytes": Exercise(
        "fair_gigabytes",
        _fair,
        Text(
            "对所有写法都用 2MN：多搬的字节不算功劳，只会拉低它的成绩。",
            "2MN for everybody: extra bytes earn no credit, they only lower the score.",
        ),
    ),
}


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


def _seed_wins() -> float:
    """At what share of the recorded widths the seeds' launcher is faster than torch.softmax."""
    from ..timing import read

    curves = read("times").curves("float32")
    return mean(curves["seed"][n] > curves["torch"][n] for n in curves["seed"])


QUESTIONS = {
    "seed_wins": Question(
        measure=_seed_wins,
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
