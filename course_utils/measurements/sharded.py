"""Rows split over GPUs, and what a message costs: recorded by `torchrun --nproc-per-node 2 -m course_tools.sharded`."""

from ..backend import tl, triton
from .bench import line_of

# shapes, widths, loss, pairs, wire; an operator or a collective; columns of the whole row; bytes that a rank brings to a message; of two, also what each receives
Line = line_of(part=str, what=str, way=str, ranks=int, rows=int, columns=int, dtype=str, bytes=int, median_us=float)


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
