"""Rows split over GPUs, and what a message costs: recorded by `torchrun --nproc-per-node 2 -m course_tools.sharded`."""

from dataclasses import dataclass

from ..backend import tl, triton


@dataclass(frozen=True)
class Line:
    part: str  # shapes, widths, loss, pairs, wire
    what: str  # an operator or a collective
    way: str
    ranks: int
    rows: int
    columns: int  # of the whole row
    dtype: str
    bytes: int  # of a message, from each rank
    median_us: float


@triton.jit
def exchange_kernel(theirs_ptr, mine_ptr, out_ptr, words_ptr, patience, SCOPE: tl.constexpr = "sys"):
    row = tl.program_id(0)
    word = tl.load(words_ptr + row)  # m and s, 32 bits each; never 0
    tl.atomic_xchg(theirs_ptr + row, word, sem="relaxed", scope=SCOPE)
    answer = tl.load(mine_ptr + row, volatile=True)
    while (answer == 0) & (patience > 0):
        answer = tl.load(mine_ptr + row, volatile=True)
        patience -= 1
    tl.store(out_ptr + row, answer)
