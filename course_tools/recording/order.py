"""What stands between the stores of a block and the atomic that announces it: compiled for an H200 by this Triton."""

import re

from course_utils.backend import tl, triton
from course_utils.compiler import Pointer, compile_for

from .clusters import record_this_triton
from .providers import version


@triton.jit
def announcing_kernel(block_ptr, flag_ptr, BARRIER: tl.constexpr):
    tl.store(block_ptr + tl.arange(0, 1024), 2.0)
    if BARRIER:
        tl.debug_barrier()
    tl.atomic_xchg(flag_ptr, 1)


def compiled(barrier: bool) -> dict:
    """One line: the instructions up to the atomic, each kind once."""
    ptx = compile_for(announcing_kernel, "H200", Pointer("float32"), Pointer("int32"), BARRIER=barrier).text("ptx")
    found = re.findall(r"st\.global|bar\.sync|atom\.global", ptx.partition("atom.global")[0] + "atom.global")
    return {"triton": version("triton"), "debug_barrier": barrier, "instructions": " ".join(dict.fromkeys(found))}


def record(folder) -> list:
    return record_this_triton("order", map(compiled, (False, True)), folder)
