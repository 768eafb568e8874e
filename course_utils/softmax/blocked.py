"""Rows of any width on a few cores: each takes one row in so many, and a row block by block, in two rounds.

An NPU's vector core computes in a buffer of its own, 192 KB on Ascend 910B. A row that fits is read once, by the grid-stride
kernel. A wider one is read twice: first for its maximum and sum, then for the answer.
"""

from .. import hardware
from ..backend import tl, triton
from .combine import exponential, finite, meet
from .grid_stride import grid_stride_kernel
from .launch import Launch

# float32 blocks that share the buffer at the worst: input and output, twice each, because the compiler fetches the next while
# this one is computed; and two for what lies between. An estimate: only Huawei's own compiler knows what it really takes.
BUFFERS = 6


@triton.jit
def blocked_kernel(y_ptr, x_ptr, y_stride, x_stride, n_rows, n_cols, BLOCK_SIZE: tl.constexpr):
    for row in tl.range(tl.program_id(0).to(tl.int64), n_rows, tl.num_programs(0)):
        m = tl.full((), -float("inf"), tl.float32)
        s = tl.full((), 0.0, tl.float32)
        for start in tl.range(0, n_cols, BLOCK_SIZE):
            columns = start + tl.arange(0, BLOCK_SIZE)
            x = tl.load(x_ptr + row * x_stride + columns, mask=columns < n_cols, other=-float("inf")).to(tl.float32)
            m_block = tl.max(x, axis=0)
            m, s = meet(m, s, m_block, tl.sum(exponential(x, finite(m_block)), axis=0))
        for start in tl.range(0, n_cols, BLOCK_SIZE):
            columns = start + tl.arange(0, BLOCK_SIZE)
            x = tl.load(x_ptr + row * x_stride + columns, mask=columns < n_cols, other=-float("inf")).to(tl.float32)
            y = exponential(x, finite(m)) / s
            tl.store(y_ptr + row * y_stride + columns, y, mask=columns < n_cols)


def widest_block(npu: hardware.Npu) -> int:
    """The largest power of two of which `BUFFERS` float32 blocks fit a vector core's buffer."""
    return triton.next_power_of_2(npu.buffer // (4 * BUFFERS) + 1) // 2


def on_vector_cores(y, x, npu: hardware.Npu) -> Launch:
    """A program for every vector core, and blocks that fit its buffer."""
    n_rows, n_cols = x.shape
    whole, widest = triton.next_power_of_2(n_cols), widest_block(npu)
    kernel, constants = (
        (grid_stride_kernel, {"BLOCK_SIZE": whole, "STAGES": 1})
        if whole <= widest
        else (blocked_kernel, {"BLOCK_SIZE": widest})
    )
    programs = max(1, min(n_rows, npu.vector_cores))
    return Launch(kernel, programs, (y.stride(0), x.stride(0), n_rows, n_cols), constants)
