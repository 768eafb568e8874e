"""What 04_grid_stride_kernel lets the learner predict, and how each result is found."""

import torch

from ..backend import device, tl, triton
from ..measurements import recorded
from .prediction import questions


def _row_seven() -> int:
    @triton.jit
    def who_kernel(who_ptr, n_rows):
        row_start = tl.program_id(0)
        for row in tl.range(row_start, n_rows, tl.num_programs(0)):
            tl.store(who_ptr + row, row_start)

    who = torch.full((10,), -1, dtype=torch.int32, device=device)
    who_kernel[(4,)](who, 10)
    return who[7].item()


def _short_rows(how: str, together: int) -> float:
    """Microseconds for 2^20 rows of 128 bfloat16 by programs of one warp, as recorded."""
    rows = {"rows": 2**20, "columns": 128, "dtype": "bfloat16", "how": how, "together": together, "warps": 1}
    (line,) = recorded("placing", **rows)
    return line.median_us


def _times_read() -> float:
    """Rows read by 4 programs over 10 rows when each goes on to the end, as a multiple of the rows there are."""
    return sum(len(range(program, 10)) for program in range(4)) / 10


QUESTIONS = questions(
    """
row_seven
第 7 个位置上写的是 {}。 | Place 7 holds {}.
-1: 没有人：一共才 4 个 program | nobody: there are only 4 programs
没有循环时确实如此；这里每个 program 会接着做。
True without the loop; here every program goes on.
1: program 1：7 ÷ 4 的商 | program 1: the quotient of 7 ÷ 4
商是第几轮：第 7 行在第 1 轮做（从 0 数起）。谁来做，看余数。
The quotient is the round: row 7 is done in round 1, counting from 0. Who does it is the remainder.
2: program 2：前 3 行给 program 0，接着 3 行给 program 1…… | program 2: the first 3 rows are program 0’s, the next 3 program 1’s …
这也是一种分法，叫连续分段；可这个循环每次跳 4 行。
That is a schedule too, contiguous chunks; but this loop steps by 4.
3: program 3：7 ÷ 4 的余数 | program 3: the remainder of 7 ÷ 4
program 3 做第 3 行，再跳 4 行到第 7 行。
Program 3 does row 3, then steps 4 rows on to row 7.

million_rows
录下的是 {:.0f} µs。 | {:.0f} µs was recorded.
180: 180 µs：由搬字节决定 | 180 µs: the bytes decide
显存只要这么久；可 program 没放好，就没有谁去搬。
Memory needs no longer; but nobody moves a byte before its program is placed.
630: 630 µs：由放置决定 | 630 µs: placing decides
后面的 program 还在放置，前面的已经在搬；用时由慢的那一件决定。
While later programs are placed, earlier ones move their bytes; the slower of the two decides.
810: 810 µs：两样相加 | 810 µs: both added up
要是放完了才开始搬，就是这么久；其实两件事同时进行。
So it would be if all programs were placed before the first byte moved; but both happen at once.

two_rows
录下的是 {:.0f} µs。 | {:.0f} µs was recorded.
634: 634 µs：字节没有变 | 634 µs: the bytes are the same
字节没有变，可决定用时的不是字节，而是 program 的个数。
The bytes are the same, but it is not they that decide: it is the number of programs.
315: 315 µs：program 少了一半 | 315 µs: half as many programs
program 少一半，放置的时间也少一半，还是比搬字节慢，所以仍由它决定。
Half as many take half as long to place, and that is still longer than the bytes take.
180: 180 µs：与复制一样快 | 180 µs: as fast as a copy
还差一点：放置一半的 program 也要 315 µs。
Not yet: even half the programs take 315 µs to place.

no_step
结果对，读写都是 {:g} 倍。 | A right result, and {:g} times the reads and writes.
3.4: 结果对，搬运变多 | a right result, more traffic
一行最多有 4 个 program 抢着做，写下的值都一样。
Up to 4 programs do one row, and all of them write the same values.
1: 结果对，搬运不变 | a right result, the same traffic
结果是对的；但同一行被读了好几遍。
The result is right; but one row is read several times.
–: 结果错，搬运变多 | a wrong result, more traffic
搬运是多了；可几个 program 写下的是同样的值，谁先谁后都一样。
There is more traffic, true; but the programs write equal values, and their order makes no difference.
–: 结果错，搬运不变 | a wrong result, the same traffic
每一行都算过，写的也都是对的值，只是写了不止一遍。
Every row is computed and what is written is right; it is only written more than once.
""",
    row_seven=_row_seven,
    million_rows=lambda: _short_rows("row", 1),
    two_rows=lambda: _short_rows("tile", 2),
    no_step=_times_read,
)
