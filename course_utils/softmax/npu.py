"""Ascend NPUs: no warps, no registers to count. A program has a vector core to itself, so there are as many programs as cores.

A core computes in a buffer of its own, 192 KB on the 910B. A row that fits there is read once, a wider one twice, in blocks.
"""

import re
from pathlib import Path

from .. import hardware
from ..backend import triton
from .blocked import blocked_kernel
from .grid_stride import grid_stride_kernel
from .launch import quiet

# float32 blocks that share the buffer at the worst: input and output, twice each, because the compiler fetches the next while
# this one is computed; and two for what lies between. An estimate: only Huawei's own compiler knows what it really takes.
BUFFERS = 6


def widest_block(npu: hardware.Npu) -> int:
    """The largest power of two of which `BUFFERS` float32 blocks fit a vector core's buffer."""
    return 1 << (npu.buffer // (4 * BUFFERS)).bit_length() - 1


def choose_on_npu(n_cols: int, npu: hardware.Npu):
    """The kernel for rows so wide, and its constants: whole rows while they fit the buffer, else blocks of them."""
    block, widest = triton.next_power_of_2(n_cols), widest_block(npu)
    if block <= widest:
        return grid_stride_kernel, {"BLOCK_SIZE": block, "STAGES": 1}
    return blocked_kernel, {"BLOCK_SIZE": widest}


def on_npu(y, x, npu: hardware.Npu | None = None, log: bool = False) -> None:
    """The softmax of rows `x`, or its logarithm, into dense rows `y`, on `npu` or the one in this machine."""
    npu = npu or hardware.here()
    n_rows, n_cols = x.shape
    kernel, constants = choose_on_npu(n_cols, npu)
    if log:
        kernel, constants = blocked_kernel, {"BLOCK_SIZE": min(constants["BLOCK_SIZE"], widest_block(npu)), "LOG": True}
    with quiet():
        kernel[(min(n_rows, npu.vector_cores),)](y, x, y.stride(0), x.stride(0), n_rows, n_cols, **constants)


# Of the stored copy, what became of a mask: −inf, the length of the copy, the two places, and the copy itself.
ON_THE_MASK = (
    r"%(cst_0|[4-7]|alloc|subview(_1)?) = |scf\.if|linalg\.fill ins\(%cst_0 : f32\) outs\(%alloc|memref\.copy|\} \{hivm"
)


def lowered_row_kernel() -> list[str]:
    """What triton-ascend made of the mask of `row_kernel`'s load on the way to linalg, without the types; first, what made it.

    A stored copy, for lowering takes another Triton than GPUs do.
    """
    file = Path(__file__).parents[1] / "recorded" / "ascend910b-row_kernel.mlir"
    made_by, *lines = file.read_text().splitlines()
    lines = [line.removeprefix("    ") for line in lines if re.match(ON_THE_MASK, line.strip())]
    return [made_by.split(":")[0], *(re.sub(r" : [^)]*| \{hivm.*", "", line) for line in lines)]
