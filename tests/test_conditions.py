"""The interpreter's repairs: a number compared joins a mask, and a block is neither true nor false."""

import pytest
import torch

from course_utils.backend import mode, tl, triton
from course_utils.interpreter.interpreter import RECENT

pytestmark = pytest.mark.skipif(mode != "interpreter" or not RECENT, reason="repairs the interpreter")


@triton.jit
def joined_kernel(y_ptr, n_rows, n_cols, BLOCK: tl.constexpr):
    row, columns = tl.program_id(0), tl.arange(0, BLOCK)
    tl.store(y_ptr + row * n_cols + columns, 1.0, mask=(columns < n_cols) & (row < n_rows))


@triton.jit
def dropped_kernel(y_ptr, n_rows, n_cols, BLOCK: tl.constexpr):
    columns = tl.arange(0, BLOCK)
    tl.store(y_ptr + columns, 1.0, mask=columns < n_cols and columns > 0)


@triton.jit
def branching_kernel(y_ptr, n_rows, n_cols, BLOCK: tl.constexpr):
    if tl.arange(0, BLOCK) < n_cols:
        tl.store(y_ptr, 1.0)


def test_a_number_compared_joins_a_mask():
    y = torch.zeros(4, 5)
    joined_kernel[(4,)](y, 3, 5, BLOCK=8)
    assert y.sum(dim=1).tolist() == [5, 5, 5, 0]


@pytest.mark.parametrize("kernel", [dropped_kernel, branching_kernel])
def test_a_block_is_neither_true_nor_false(kernel):
    with pytest.raises(Exception, match="neither true nor false"):
        kernel[(1,)](torch.zeros(4, 5), 3, 5, BLOCK=8)
