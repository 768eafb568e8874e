"""What stands between the stores of a block and the atomic that announces it: compiled by this Triton, for which no GPU is needed."""

import re
from dataclasses import dataclass

from ..backend import tl, triton
from ..compiler import Pointer, compile_for
from .bench import every

CASES = every(debug_barrier=("False", "True"))


@dataclass(frozen=True)
class Line:
    triton: str
    debug_barrier: str
    instructions: str  # up to the atomic, each kind once


@triton.jit
def announcing_kernel(block_ptr, flag_ptr, BARRIER: tl.constexpr):
    tl.store(block_ptr + tl.arange(0, 1024), 2.0)
    if BARRIER:
        tl.debug_barrier()
    tl.atomic_xchg(flag_ptr, 1)


def measure(debug_barrier):
    arguments = Pointer("float32"), Pointer("int32")
    ptx = compile_for(announcing_kernel, "H200", *arguments, BARRIER=debug_barrier == "True").text("ptx")
    before, *_ = ptx.partition("atom.global")
    kinds = dict.fromkeys([*re.findall(r"st\.global|bar\.sync", before), "atom.global"])
    yield Line(triton.__version__, debug_barrier, " ".join(kinds))
