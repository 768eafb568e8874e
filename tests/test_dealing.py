"""Rows dealt out on demand: the kernel that takes them from a counter."""

import pytest
import torch

from course_utils import backend
from course_utils.backend import triton
from course_utils.softmax.counter import counter_kernel


@pytest.mark.parametrize(("rows", "columns", "programs"), [(10, 6, 4), (5, 781, 1), (2, 16, 5), (1, 1, 1)])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16])
def test_every_row_is_taken_once(rows, columns, programs, dtype):
    x = torch.randn(rows, columns, device=backend.device).to(dtype)
    y, counter = torch.full_like(x, -1), torch.zeros(1, dtype=torch.int32, device=x.device)
    block = triton.next_power_of_2(columns)
    counter_kernel[(programs,)](y, x, counter, columns, columns, rows, columns, BLOCK_SIZE=block)
    torch.testing.assert_close(y, torch.softmax(x, 1), atol=1e-6, rtol=1e-3)
    assert counter.item() == rows  # every row done takes a number
