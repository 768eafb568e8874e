"""What a learner waits for without an explorer: importing, compiling, the next job of a worker. `make bench`."""

import statistics
import subprocess
import sys
import time

import pytest
from kernels import softmax_rows

from course_utils import worker
from course_utils.compiler import Pointer, compile_for
from course_utils.compiler import compile as compiling


def median(action, runs: int = 5) -> float:
    times = []
    for _ in range(runs):
        begin = time.perf_counter()
        action()
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


def start(code: str) -> None:
    subprocess.run([sys.executable, "-c", code], check=True)


def compile_one() -> None:
    compile_for(
        softmax_rows, "H200", Pointer("float32"), Pointer("float32"), 784, 784, 64, 781, BLOCK=1024, num_warps=8
    )


def compile_again() -> None:
    """From Triton's cache on disk, through the worker."""
    compiling._memory.clear()
    compile_one()


BENCHES = {
    "import course_utils, beyond Python itself": (
        lambda: median(lambda: start("import course_utils")) - median(lambda: start("pass")),
        0.2,
    ),
    "a kernel that was compiled before": (lambda: median(compile_one), 0.3),
    "the same, after a restart": (lambda: median(compile_again), 1),
    "the next job of a worker": (lambda: median(lambda: worker.run(abs, -1)), 1),
}


@pytest.mark.parametrize("what", BENCHES)
def test_it_is_quick(what):
    compile_one()
    worker.run(abs, -1)
    seconds, limit = BENCHES[what][0](), BENCHES[what][1]
    print(f"{what}: {seconds:.3f} s")
    assert seconds < limit
