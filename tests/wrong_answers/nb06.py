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
}
