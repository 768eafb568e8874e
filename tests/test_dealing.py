"""Rows dealt out beforehand and on demand: the kernel that takes them from a counter, and what was recorded of both."""

from statistics import mean

import pytest
import torch

from course_utils import backend, hardware
from course_utils.backend import triton
from course_utils.softmax.counter import counter_kernel
from course_utils.timing import launches
from course_utils.timing.dealing import FINISHES, SHAPES, Dealt, Finish, fastest
from course_utils.timing.occupancy import recorded as occupancy_recorded


@pytest.mark.parametrize(("rows", "columns", "programs"), [(10, 6, 4), (5, 781, 1), (2, 16, 5), (1, 1, 1)])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16])
def test_every_row_is_taken_once(rows, columns, programs, dtype):
    x = torch.randn(rows, columns, device=backend.device).to(dtype)
    y, counter = torch.full_like(x, -1), torch.zeros(1, dtype=torch.int32, device=x.device)
    block = triton.next_power_of_2(columns)
    counter_kernel[(programs,)](y, x, counter, columns, columns, rows, columns, BLOCK_SIZE=block)
    torch.testing.assert_close(y, torch.softmax(x, 1), atol=1e-6, rtol=1e-3)
    assert counter.item() == rows  # every row done takes a number


@pytest.mark.parametrize("case", FINISHES)
def test_every_sm_is_recorded_and_none_ends_after_the_kernel(case):
    rows, columns, stages, programs = case
    sms = Finish.recorded(*case)
    assert {sm.sm for sm in sms} == set(range(hardware.find("H200").multiprocessors))
    assert all(0 < sm.first_us <= sm.mean_us <= sm.last_us for sm in sms)
    assert [sm.last_us for sm in sms] == sorted(sm.last_us for sm in sms)
    if rows == 105600:  # the same launch was timed when nobody noted anything; it was not flushed beforehand
        (timed,) = [
            grid for grid in occupancy_recorded("grids") if (grid.stages, grid.per_multiprocessor) == (stages, programs)
        ]
        assert 0.9 < sms[-1].last_us / (timed.median_ms * 1e3) < 1.05


def test_more_programs_than_enough_end_earlier_on_average_and_later_in_the_end():
    few, many = (Finish.recorded(105600, 1024, 4, programs) for programs in (4, 8))
    assert mean(sm.mean_us for sm in many) < mean(sm.mean_us for sm in few)
    assert many[-1].last_us > few[-1].last_us


def test_what_was_dealt_out_agrees_with_the_launchers_recorded_before():
    found = {(dealt.who, dealt.rows, dealt.columns, dealt.num_warps): dealt.median_us for dealt in Dealt.recorded()}
    assert {key[1:3] for key in found} == set(SHAPES)
    for (who, *shape, num_warps), median in found.items():
        assert {(other, *shape, num_warps) for other in ("row", "grid stride", "counter")} <= set(found)
        if who == "row" and (before := launches.tried("row", *shape, num_warps=num_warps)):
            assert 0.95 < median / before[0].median_us < 1.1  # recorded on another day
    assert all(fastest("row", *shape) < fastest("counter", *shape) for shape in SHAPES)
    assert fastest("row", 4096, 32768, num_warps=8) > fastest("counter", 4096, 32768, num_warps=8)
