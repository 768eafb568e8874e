"""Plausible wrong answers to the exercises of 06_benchmark: {exercise: {answer: what the check must say, zh and en}}."""


def watch(*, warm="gpu.launch(work)\n", settle="gpu.synchronize()\n", runs=10, wait="gpu.synchronize()\n", result=None) -> str:  # fmt: skip
    result = result or f"(gpu.now() - start) / {runs}"
    return f"{warm}{settle}start = gpu.now()\nfor _ in range({runs}):\n    gpu.launch(work)\n{wait}return {result}"


def events(
    before="gpu.flush()\n", inside="", after="", result="end.at - begin.at", warm="gpu.launch(work)\n", runs=1
) -> str:
    launches = "gpu.launch(work)\n" * runs
    return f"{warm}{before}begin = gpu.event()\n{inside}{launches}{after}end = gpu.event()\ngpu.synchronize()\nreturn {result}"


OWN = (
    "from course_utils.pretend_gpu import PretendGPU\ngpu = PretendGPU()\ngpu.launch(work)\ngpu.synchronize()\n"
    "start = gpu.now()\nfor _ in range(10):\n    gpu.launch(work)\ngpu.synchronize()\nreturn (gpu.now() - start) / 10"
)
COMPILED, SPREAD = ("要编译", "compiles"), ("分摊", "still spread")
ALONE, QUEUED = ("立刻就返回", "returns at once"), ("还在队列里", "still in the queue")
KEY, SHEET = ("标准答案", "answer key"), ("标称带宽", "nominal bandwidth")
TIMED = ("不能在两个事件之间", "between the two events")
DRY, WATCH = ("不要等", "Don't wait"), ("主机的钟", "host's clock")

WRONG = {
    "warm_benchmark": {
        "return gpu.true_seconds(work)": KEY,
        watch(warm="", settle="", runs=1): COMPILED,
        watch(warm="", settle="", runs=100): SPREAD,
        watch(runs=1, wait=""): ALONE,
        watch(settle="", runs=1): QUEUED,
        watch(settle=""): QUEUED,
        watch(runs=1, result="(gpu.now() - start) * 1000"): ("毫秒", "milliseconds"),
        watch(result="(gpu.now() - start) / 10 * 1e6"): ("微秒", "microseconds"),
        watch(result="gpu.now() - start"): ("总时间", "several runs together"),
        watch(runs=1, result="(gpu.now() - start) / 10"): ("除以了次数", "divided by a number"),
        watch(warm="", settle="", runs=1, result="gpu.now() - start - gpu.compile_cost"): (
            "当常数减掉",
            "no constant to subtract",
        ),
        watch(warm="", settle="", runs=1, result="gpu.now() - start - 0.35"): ("当常数减掉", "no constant to subtract"),
        "return 2 * work.nbytes / gpu.bandwidth": SHEET,
        OWN: SHEET,
        "return gpu.now() - gpu.now()": ("不是正数", "not positive"),
        "return 1e-3": ("真值是", "The truth is"),
    },
    "waiting_benchmark": {
        "return gpu.true_seconds(work)": KEY,
        watch(settle=""): QUEUED,
        watch(wait=""): ALONE,
        watch(settle="", wait=""): ALONE,
        watch(warm="", settle=""): SPREAD,
        watch(result="gpu.now() - start"): ("总时间", "several runs together"),
        watch(result="(gpu.now() - start) / 10 * 1000"): ("毫秒", "milliseconds"),
        "return 2 * work.nbytes / gpu.bandwidth": SHEET,
        OWN: SHEET,
        "return gpu.now() - gpu.now()": ("不是正数", "not positive"),
        watch(result="(gpu.now() - start) / 11"): ("真值是", "The truth is"),
    },
    "cold_benchmark": {
        events(before=""): ("还在 L2 里", "still in L2"),
        events(before="", inside="gpu.flush()\n"): TIMED,
        events(before="gpu.flush()\n", after="gpu.flush()\n"): TIMED,
        events(before="gpu.flush()\ngpu.synchronize()\n"): DRY,
        events(before="", result="3 * (end.at - begin.at)"): ("乘一个常数", "times a constant"),
        events(before="", result="gpu.cache_speed * (end.at - begin.at)"): ("乘一个常数", "times a constant"),
        events(warm=""): COMPILED,
        events(runs=10, result="(end.at - begin.at) / 10"): ("只冲掉了一次", "flushed once only"),
        events().replace("gpu.synchronize()\n", ""): ("synchronize", "synchronize"),
        "gpu.launch(work)\ngpu.flush()\ngpu.synchronize()\nstart = gpu.now()\ngpu.launch(work)\ngpu.synchronize()\n"
        "return gpu.now() - start": WATCH,
        "gpu.launch(work)\ntotal = 0\nfor _ in range(10):\n    gpu.flush()\n    gpu.synchronize()\n    start = gpu.now()\n"
        "    gpu.launch(work)\n    gpu.synchronize()\n    total += gpu.now() - start\nreturn total / 10": WATCH,
        "return 2 * work.nbytes / gpu.bandwidth": SHEET,
        "return gpu.true_seconds(work)": KEY,
        events(result="(end.at - begin.at) * 1000"): ("毫秒", "milliseconds"),
        events(result="begin.at - end.at"): ("不是正数", "not positive"),
    },
    "typical_seconds": {
        "return sum(samples) / len(samples)": ("平均值", "mean"),
        "return min(samples)": ("最走运", "luckiest"),
        "return max(samples)": ("最倒霉", "unluckiest"),
        "return samples[len(samples) // 2]": ("先排序", "Sort before"),
        "return math.exp(sum(math.log(s) for s in samples) / len(samples))": ("真值是", "The truth is"),
        "sorted(samples)": ("return", "return"),
    },
    "fair_gigabytes": {
        "return rows * columns * itemsize / seconds / 1e9": ("两样都要", "both count"),
        "return 8 * rows * columns * itemsize / seconds / 1e9": ("8MN", "8MN"),
        "return 2 * rows * columns * itemsize / seconds / 2**30": ("GiB", "GiB"),
        "return 2 * rows * columns / seconds / 1e9": ("多少个元素", "elements a second"),
        "return 2 * rows * columns * itemsize // seconds / 1e9": ("整除", "//"),
        "return 2 * rows * columns * 4 / seconds / 1e9": ("不总是 4", "not always take 4"),
    },
}
