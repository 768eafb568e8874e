"""The pretend GPU's cache writes back, so that the four states of the stopwatch can be had with no GPU: as an H100's counters have them."""

import pytest

from course_utils.hardware import find
from course_utils.measurements import recorded
from course_utils.pretend_gpu import PretendGPU, Work

MB = 1e6


def softmax(number, nbytes=16 * MB):
    return Work("softmax", nbytes, f"x{number}", f"y{number}")


@pytest.mark.parametrize("state", ["hot", "clean", "dirty", "sustained"])
@pytest.mark.parametrize("dtype, columns", [("float32", 1024), ("bfloat16", 512), ("bfloat16", 2048)])
def test_what_goes_to_memory_is_what_the_counters_of_an_h100_show(dtype, columns, state):
    nbytes = 4096 * columns * (4 if dtype == "float32" else 2)
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


def test_a_launch_takes_as_long_as_its_bytes_from_memory_or_from_the_cache():
    gpu = PretendGPU(jitter=0.0, hiccup=1.0, launch_cost=0.0, compile_cost=0.0)

    def seconds(work):
        start = gpu.event()
        gpu.launch(work)
        end = gpu.event()
        gpu.synchronize()
        return end.at - start.at

    seconds(softmax("warm-up"))
    for _ in range(3):
        gpu.flush()
    assert seconds(softmax(1)) == pytest.approx(32 * MB / gpu.bandwidth)
    gpu.flush(by_reading=True)
    gpu.launch(Work("the kernel before", 4 * MB, "", "x2"))
    assert seconds(softmax(2, 4 * MB)) == pytest.approx(8 * MB / gpu.bandwidth / gpu.cache_speed)
    for number in range(3, 24):
        gpu.launch(softmax(number))
    assert seconds(softmax(24)) == pytest.approx(gpu.true_seconds(softmax(24)))
