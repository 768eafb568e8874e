"""The pretend GPU's cache writes back, so that the four states of `timing.stopwatch` can be had with no GPU."""

import pytest

from course_utils.pretend_gpu import PretendGPU, Work, WriteBackCache

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
    assert (gpu.read_bytes, gpu.written_bytes) == (16 * MB, 32 * MB)  # 16 to make room for x, and 16 for y
    gpu.flush(by_reading=True)
    clean = seconds(gpu, softmax(2))
    assert (gpu.read_bytes, gpu.written_bytes) == (16 * MB, 0)
    assert dirty == pytest.approx(48 * MB / gpu.bandwidth) and clean == pytest.approx(16 * MB / gpu.bandwidth)


def test_hot_finds_its_input_in_the_cache():
    gpu = quiet()
    warm(gpu)
    gpu.flush(by_reading=True)
    gpu.launch(Work("the kernel before", 16 * MB, "", "x1"))
    hot = seconds(gpu, softmax(1))
    assert (gpu.read_bytes, gpu.written_bytes) == (0, 0)
    assert hot == pytest.approx(32 * MB / gpu.bandwidth / gpu.cache_speed)


def test_it_tells_what_its_cache_holds():
    gpu = quiet()
    gpu.flush(by_reading=True)
    seconds(gpu, softmax(1))
    gone = 32 * MB
    assert gpu.cached == [
        ("冲缓存时读的 · flush: read", gpu.cache - gone, False),
        ("x1", 16 * MB, False),
        ("y1", 16 * MB, True),
    ]


def test_sustained_everybody_pays_his_own():
    gpu = quiet()
    warm(gpu)
    for number in range(20):
        gpu.launch(softmax(number))
    gpu.synchronize()
    sustained = seconds(gpu, softmax(20))
    assert (gpu.read_bytes, gpu.written_bytes) == (16 * MB, 16 * MB)
    assert sustained == pytest.approx(gpu.true_seconds(softmax(20)))


def test_what_does_not_fit_is_never_found_again():
    gpu = quiet()
    warm(gpu)
    for _ in range(3):
        gpu.launch(softmax(1, 200 * MB))
    assert gpu.read_bytes == pytest.approx(200 * MB) and gpu.written_bytes == pytest.approx(200 * MB)


def test_the_oldest_goes_first_and_as_little_of_it_as_need_be():
    cache = WriteBackCache(10)
    assert cache.write("a", 4) == 0 and cache.read("b", 4) == (4, 0)
    assert cache.read("c", 3) == (3, 1)  # one byte of `a` had to be written
    assert cache.read("a", 4) == (1, 0)  # three of it were still there; of `b`, clean, nothing need be written
    assert cache.read("b", 4)[0] == 1


def test_a_launch_that_names_no_buffer_is_what_it_was():
    gpu = quiet()
    work = Work("plain", 10_000_000)
    gpu.launch(work)
    gpu.synchronize()
    again = seconds(gpu, work)
    gpu.flush()
    gpu.synchronize()
    assert seconds(gpu, work) == pytest.approx(gpu.cache_speed * again)
