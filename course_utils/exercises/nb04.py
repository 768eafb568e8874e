"""What 04_grid_stride_kernel lets the learner predict, and how each result is found."""

import torch

from ..backend import device, tl, triton
from ..language import Text
from ..measurements import recorded
from .prediction import Option, Question


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


QUESTIONS = {
    "row_seven": Question(
        measure=_row_seven,
        options=lambda program: [
            Option(Text("没有人：一共才 4 个 program", "nobody: there are only 4 programs"), Text("没有循环时确实如此；这里每个 program 会接着做。", "True without the loop; here every program goes on.")),
            Option(Text("program 1：7 ÷ 4 的商", "program 1: the quotient of 7 ÷ 4"), Text("商是第几轮：第 7 行在第 1 轮做（从 0 数起）。谁来做，看余数。", "The quotient is the round: row 7 is done in round 1, counting from 0. Who does it is the remainder.")),
            Option(Text("program 2：前 3 行给 program 0，接着 3 行给 program 1……", "program 2: the first 3 rows are program 0’s, the next 3 program 1’s …"), Text("这也是一种分法，叫连续分段；可这个循环每次跳 4 行。", "That is a schedule too, contiguous chunks; but this loop steps by 4.")),
            Option(Text("program 3：7 ÷ 4 的余数", "program 3: the remainder of 7 ÷ 4"), Text("program 3 做第 3 行，再跳 4 行到第 7 行。", "Program 3 does row 3, then steps 4 rows on to row 7.")),
        ],
        right=lambda program: {1: 1, 2: 2, 3: 3}.get(program, 0),
        result=lambda program: Text(f"第 7 个位置上写的是 {program}。", f"Place 7 holds {program}."),
    ),
    "million_rows": Question(
        measure=lambda: _short_rows("row", 1),
        options=lambda us: [
            Option(Text("180 µs：由搬字节决定", "180 µs: the bytes decide"), Text("显存只要这么久；可 program 没放好，就没有谁去搬。", "Memory needs no longer; but nobody moves a byte before its program is placed.")),
            Option(Text("630 µs：由放置决定", "630 µs: placing decides"), Text("后面的 program 还在放置，前面的已经在搬；用时由慢的那一件决定。", "While later programs are placed, earlier ones move their bytes; the slower of the two decides.")),
            Option(Text("810 µs：两样相加", "810 µs: both added up"), Text("要是放完了才开始搬，就是这么久；其实两件事同时进行。", "So it would be if all programs were placed before the first byte moved; but both happen at once.")),
        ],
        right=lambda us: min(range(3), key=lambda k: abs((180, 630, 810)[k] - us)),
        result=lambda us: Text(f"录下的是 {us:.0f} µs。", f"{us:.0f} µs was recorded."),
    ),
    "two_rows": Question(
        measure=lambda: _short_rows("tile", 2),
        options=lambda us: [
            Option(Text("634 µs：字节没有变", "634 µs: the bytes are the same"), Text("字节没有变，可决定用时的不是字节，而是 program 的个数。", "The bytes are the same, but it is not they that decide: it is the number of programs.")),
            Option(Text("315 µs：program 少了一半", "315 µs: half as many programs"), Text("program 少一半，放置的时间也少一半，还是比搬字节慢，所以仍由它决定。", "Half as many take half as long to place, and that is still longer than the bytes take.")),
            Option(Text("180 µs：与复制一样快", "180 µs: as fast as a copy"), Text("还差一点：放置一半的 program 也要 315 µs。", "Not yet: even half the programs take 315 µs to place.")),
        ],
        right=lambda us: min(range(3), key=lambda k: abs((634, 315, 180)[k] - us)),
        result=lambda us: Text(f"录下的是 {us:.0f} µs。", f"{us:.0f} µs was recorded."),
    ),
    "no_step": Question(
        measure=_times_read,
        options=lambda times: [
            Option(Text("结果对，搬运变多", "a right result, more traffic"), Text("一行最多有 4 个 program 抢着做，写下的值都一样。", "Up to 4 programs do one row, and all of them write the same values.")),
            Option(Text("结果对，搬运不变", "a right result, the same traffic"), Text("结果是对的；但同一行被读了好几遍。", "The result is right; but one row is read several times.")),
            Option(Text("结果错，搬运变多", "a wrong result, more traffic"), Text("搬运是多了；可几个 program 写下的是同样的值，谁先谁后都一样。", "There is more traffic, true; but the programs write equal values, and their order makes no difference.")),
            Option(Text("结果错，搬运不变", "a wrong result, the same traffic"), Text("每一行都算过，写的也都是对的值，只是写了不止一遍。", "Every row is computed and what is written is right; it is only written more than once.")),
        ],
        right=lambda times: 0 if times > 1 else 1,
        result=lambda times: Text(f"结果对，读写都是 {times:g} 倍。", f"A right result, and {times:g} times the reads and writes."),
    ),
}  # fmt: skip
