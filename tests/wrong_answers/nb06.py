"""Plausible wrong answers to the exercises of 06_benchmark: {exercise: {answer: what the check must say, zh and en}}."""


def watch(*, warm="gpu.launch(work)\n", settle="gpu.synchronize()\n", runs=10, wait="gpu.synchronize()\n", result=None) -> str:  # fmt: skip
    result = result or f"(gpu.now() - start) / {runs}"
    return f"{warm}{settle}start = gpu.now()\nfor _ in range({runs}):\n    gpu.launch(work)\n{wait}return {result}"


def events(
    before="gpu.flush()\n", inside="", after="", result="end.at - begin.at", warm="gpu.launch(work)\n", runs=1
) -> str:
    launches = "gpu.launch(work)\n" * runs
    return f"{warm}{before}begin = gpu.event()\n{inside}{launches}{after}end = gpu.event()\ngpu.synchronize()\nreturn {result}"


def turns(reads="x{i}", writes="y{i}", warm=60, runs=100, divide=100) -> str:
    """Launches with buffers of their own, in turn."""
    launch = f'    gpu.launch(Work(work.name, work.nbytes, reads=f"{reads}", writes=f"{writes}"))\n'
    return (
        f"from course_utils.pretend_gpu import Work\nfor i in range({warm}):\n{launch}begin = gpu.event()\nfor i in range({warm}, {warm + runs}):\n{launch}"
        f"end = gpu.event()\ngpu.synchronize()\nreturn (end.at - begin.at) / {divide}"
    )


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
        watch(runs=1, result="(gpu.now() - start) / 10"): ("比计时的次数多", "more runs than you timed"),
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
        watch(result="(gpu.now() - start) / 11"): ("差一", "differ by one"),
        watch(runs=9, result="(gpu.now() - start) / 10"): ("差一", "differ by one"),
        watch(result="(gpu.now() - start) / 7"): ("真值是", "The truth is"),
    },
    "cold_benchmark": {
        events(before=""): ("还在 L2 里", "still in L2"),
        events(before="", inside="gpu.flush()\n"): TIMED,
        events(before="gpu.flush()\n", after="gpu.flush()\n"): TIMED,
        events(before="gpu.flush()\ngpu.synchronize()\n"): DRY,
        events(before="", result="3 * (end.at - begin.at)"): ("乘一个常数", "times a constant"),
        events(before="", result="gpu.cache_speed * (end.at - begin.at)"): ("乘一个常数", "times a constant"),
        events(before="gpu.synchronize()\n"): ("没有 flush()", "There is no flush()"),
        "gpu.launch(work)\ngpu.synchronize()\nstart = gpu.now()\ngpu.flush()\ngpu.launch(work)\ngpu.synchronize()\n"
        "return gpu.now() - start": WATCH,
        events(result="end - begin"): ("'Event'", "'Event'"),
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
    "sustained_benchmark": {
        turns(reads="x", writes="y"): ("同一块内存", "same memory"),
        turns(writes="y"): ("只有一半的字节", "Only half of the bytes"),
        turns(reads="x"): ("只有一半的字节", "Only half of the bytes"),
        turns(reads="x{i % 2}", writes="y{i % 2}"): ("轮流用的内存太少", "Too few buffers"),
        turns(warm=1, runs=5, divide=5): ("还有空地方", "still room"),
        turns(warm=0): SPREAD,
        turns(divide=500): ("比计时的次数多", "more runs than you timed"),
        turns(runs=10, divide=10).replace("begin =", "gpu.flush()\nbegin ="): ("替它付了账", "without flush()"),
        turns().replace(
            "begin = gpu.event()\nfor i in range(60, 160):\n",
            "begin = gpu.event()\nfor i in range(60, 160):\n    gpu.flush()\n",
        ): TIMED,
        turns()
        .replace("gpu.synchronize()\n", "")
        .replace("begin = gpu.event()", "gpu.synchronize()\nbegin = gpu.now()")
        .replace("end = gpu.event()", "end = gpu.now()")
        .replace("(end.at - begin.at)", "(end - begin)"): ALONE,
        "from course_utils.pretend_gpu import Work\ngpu.launch(work)\ngpu.flush(by_reading=True)\nbegin = gpu.event()\n"
        "gpu.launch(Work(work.name, work.nbytes, 'x', 'y'))\nend = gpu.event()\ngpu.synchronize()\nreturn end.at - begin.at": (
            "只有一半的字节",
            "Only half of the bytes",
        ),
        turns(divide=1): ("总时间", "several runs together"),
        events(before="", runs=10, result="(end.at - begin.at) / 10"): ("同一块内存", "same memory"),
        "return gpu.true_seconds(work)": KEY,
        "return 2 * work.nbytes / gpu.bandwidth": SHEET,
        turns(divide="100e-3"): ("毫秒", "milliseconds"),
        turns(divide="100e-6"): ("微秒", "microseconds"),
        turns(divide="-100"): ("不是正数", "not positive"),
        turns(divide=150): ("真值是", "The truth is"),
        turns().replace("gpu.synchronize()\n", ""): ("synchronize", "synchronize"),
    },
}
