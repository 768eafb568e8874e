"""The pretend GPU's cache writes back, so that the four states of `timing.stopwatch` can be had with no GPU."""

import pytest

from course_utils.hardware import find
from course_utils.measurements import recorded
from course_utils.pretend_gpu import PretendGPU, Work

MB = 1e6


def quiet() -> PretendGPU:
    return PretendGPU(jitter=0.0, hiccup=1.0, launch_cost=0.0, compile_cost=0.0)


def seconds(gpu, work):
    start = gpu.event()
    gpu.launch(work)
    end = gpu.event()
    gpu.synchronize()
    return end.at - start.at


def softmax(number, nbytes=16 * MB):
    return Work("softmax", nbytes, f"x{number}", f"y{number}")


def warm(gpu):
    gpu.launch(softmax("warm-up"))
    for _ in range(3):
        gpu.flush()


def test_dirty_pays_for_what_others_wrote_and_clean_leaves_its_own_unpaid():
    gpu = quiet()
    warm(gpu)
    dirty = seconds(gpu, softmax(1))
    assert (gpu.read_bytes, gpu.written_bytes) == (
        16 * MB,
        16 * MB,
    )  # x takes the place of what is clean, y of the rest
    gpu.flush(by_reading=True)
    clean = seconds(gpu, softmax(2))
    assert (gpu.read_bytes, gpu.written_bytes) == (16 * MB, 0)
    assert dirty == pytest.approx(32 * MB / gpu.bandwidth) and clean == pytest.approx(16 * MB / gpu.bandwidth)


def test_hot_finds_its_input_in_the_cache():
    gpu = quiet()
    warm(gpu)
    gpu.flush(by_reading=True)
    gpu.launch(Work("the kernel before", 4 * MB, "", "x1"))
    hot = seconds(gpu, softmax(1, 4 * MB))
    assert (gpu.read_bytes, gpu.written_bytes) == (0, 0)
    assert hot == pytest.approx(8 * MB / gpu.bandwidth / gpu.cache_speed)


def test_hot_pays_for_what_is_dirty_beyond_half_of_the_cache():
    gpu = quiet()
    gpu.flush(by_reading=True)
    gpu.launch(Work("the kernel before", 20 * MB, "", "x1"))
    seconds(gpu, softmax(1, 20 * MB))
    assert (gpu.read_bytes, gpu.written_bytes) == (0, 40 * MB - gpu.cache / 2)
    (_, x, y) = gpu.cached
    assert x == ("x1", 20 * MB, gpu.cache / 2 - 20 * MB) and y == ("y1", 20 * MB, 20 * MB)


@pytest.mark.parametrize("dtype, columns", [("float32", 1024), ("bfloat16", 512), ("bfloat16", 2048)])
def test_half_dirty_is_what_the_counters_of_an_h100_show(dtype, columns):
    nbytes = 4096 * columns * (4 if dtype == "float32" else 2)
    for state in ("hot", "clean", "dirty", "sustained"):
        gpu = PretendGPU(cache=find("H100").cache)
        gpu.flush(by_reading=state != "dirty")
        if state == "hot":
            gpu.launch(Work("the kernel before", nbytes, "", "x0"))
        for number in range(1, 40 * (state == "sustained")):
            gpu.launch(softmax(number, nbytes))
        gpu.launch(softmax(0, nbytes))
        for who in ("row", "liger", "quack"):  # not the course's `softmax`, whose hints change what goes
            (line,) = recorded("states", provider=who, dtype=dtype, columns=columns, state=state)
            assert gpu.read_bytes == pytest.approx(line.read_bytes, abs=0.1 * MB)
            assert gpu.written_bytes == pytest.approx(line.written_bytes, abs=1.6 * MB)


def test_sustained_everybody_pays_his_own():
    gpu = quiet()
    warm(gpu)
    for number in range(20):
        gpu.launch(softmax(number))
    gpu.synchronize()
    sustained = seconds(gpu, softmax(20))
    assert (gpu.read_bytes, gpu.written_bytes) == (16 * MB, 16 * MB)
    assert sustained == pytest.approx(gpu.true_seconds(softmax(20)))
