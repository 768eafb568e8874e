"""What 05_occupancy_launcher lets the learner predict, and how each result is found."""

import torch

from ..language import Text
from .prediction import Option, Question


def _row_kernel_on_h200(block):
    from ..compiler import compile_for
    from ..occupancy import of
    from ..softmax import row_kernel

    dtype = torch.float32
    return of(compile_for(row_kernel, "H200", dtype, dtype, block, block, block, BLOCK_SIZE=block, num_warps=8))


def _ninth() -> float:
    """How many times as long the recorded launch of 9 programs a multiprocessor took as that of 8."""
    from ..timing.occupancy import recorded

    times = {grid.per_multiprocessor: grid.median_ms for grid in recorded("grids") if grid.stages == 1}
    return times[9] / times[8]


def _knows_one_row() -> bool:
    """Whether the kernel compiled for one row still asks how many rows there are."""
    from ..compiler import compile_for
    from ..softmax import grid_stride_kernel

    dtype = torch.float32
    compiled = compile_for(
        grid_stride_kernel, "H200", dtype, dtype, 1024, 1024, 1, 1024, BLOCK_SIZE=1024, STAGES=2, num_warps=8
    )  # fmt: skip
    return "%n_rows" not in compiled.text("ttir")


QUESTIONS = {
    "runs_out": Question(
        measure=lambda: _row_kernel_on_h200(1024).limited_by,
        options=lambda measured: [
            Option(Text("寄存器", "registers"), Text("65536 个听着多，8 个程序就有 2048 个线程来分；不过还够放 10 个程序。", "65536 sounds like plenty, and 8 programs have 2048 threads to share them; still, 10 programs could have theirs.")),
            Option(Text("共享内存", "shared memory"), Text("这个内核只用 32 字节，给 8 个 warp 交换各自的最大值与和；能放 202 个程序。", "This kernel uses a mere 32 bytes, for its 8 warps to swap maxima and sums; 202 programs would fit.")),
            Option(Text("warp 位", "warp slots"), Text("每个程序占 8 个，64 个位子坐满 8 个程序。", "Each program takes 8, and the 64 seats are full with 8 programs.")),
            Option(Text("程序位", "program slots"), Text("有 32 个；只有程序很小（1 个 warp）时才轮到它。", "There are 32; it takes very small programs, of 1 warp, to use them up.")),
        ],
        right=lambda measured: ("registers", "shared", "warps", "programs").index(measured),
        result=lambda measured: Text("寄存器够 10 个程序，共享内存够 202 个，warp 位够 8 个，程序位够 32 个。", "Registers would do for 10 programs, shared memory for 202, warp slots for 8, program slots for 32."),
    ),
    "wider_block": Question(
        measure=lambda: _row_kernel_on_h200(16384).programs,
        options=lambda measured: [
            Option(Text("8 个：还是 8 个 warp", "8: it still has 8 warps"), Text("warp 位确实照旧；但每个线程现在拿着 64 个元素，寄存器不照旧。", "The warp slots are as before, true; but every thread now holds 64 elements, and registers are not as before.")),
            Option(Text("4 个", "4"), Text("方向对了：寄存器成了瓶颈；只是还要再少。", "The right direction: registers become the limit. It is fewer yet.")),
            Option(Text("2 个", "2"), Text("每个线程约 100 个寄存器，取整成 104；一个调度器放得下 4 个 warp，四个共 16 个。", "About 100 registers a thread, rounded up to 104: a scheduler has room for 4 warps, the four for 16.")),
            Option(Text("0 个：放不下", "0: it does not fit"), Text("元素是 16 倍，寄存器不是：每个线程另有固定的一份开销，元素用的只是其余部分。", "The elements are 16 times as many, the registers are not: part of them is fixed, whatever a thread holds.")),
        ],
        right=lambda measured: (8, 4, 2, 0).index(measured),
        result=lambda measured: Text(f"编译出来一算：{measured} 个。", f"Compiled and counted: {measured}."),
    ),
    "ninth": Question(
        measure=_ninth,
        options=lambda ratio: [
            Option(Text("快一点：帮手多了", "a little faster: one more helper"), Text("到第 8 个为止都是这样；第 9 个没有位子，帮不上忙。", "So it goes up to the eighth; the ninth has no seat and cannot help.")),
            Option(Text("不变：多出来的等着就是了", "the same: the extra one just waits"), Text("它等着，可它的那份行也等着：别的程序做完了才轮到它，那时机器几乎是空的。", "It waits, and so do its rows: its turn comes when the others are done, and the machine is nearly empty by then.")),
            Option(Text("慢四分之一以上", "slower by more than a quarter"), Text("前 8 个各做九分之一的行，做完才轮到第 9 个，它独占着几乎空闲的机器做完剩下的。", "The first 8 do a ninth of the rows each; only then comes the ninth, and does its share on a machine that is nearly idle.")),
            Option(Text("慢一倍", "twice as slow"), Text("若每个程序不论有多少同伴都一样快，会是 16/9 倍；其实程序少时，每个都快一些。", "Were each program equally fast in any company it would be 16/9 times; with fewer of them, each runs faster.")),
        ],
        right=lambda ratio: 0 if ratio < 0.98 else 1 if ratio < 1.05 else 2 if 1.25 < ratio < 1.6 else 3,
        result=lambda ratio: Text(f"在 H200 上是 {ratio:.2f} 倍的时间。", f"On the H200 it took {ratio:.2f} times as long."),
    ),
    "one_row": Question(
        measure=_knows_one_row,
        options=lambda gone: [
            Option(Text("报错", "an error"), Text("但愿如此。宽度变了会报“地址未对齐”；行数变了，一声不响。", "If only. A changed width says “misaligned address”; a changed number of rows says nothing at all.")),
            Option(Text("100 行都对，只是慢", "100 right rows, only slower"), Text("那得是内核里还有“行数”这个变量；去看它的参数表。", "For that the kernel would have to know of a number of rows still; look at its parameters.")),
            Option(Text("只有第 0 行是对的，也不报错", "row 0 is right, the others are not, and no error"), Text("等于 1 的整数被当成常数编译了进去，循环到 1 为止；其余 99 行从没有人写过。", "An integer that equals 1 is compiled in as a constant, so the loop ends at 1, and nobody ever writes the other 99 rows.")),
        ],
        right=lambda gone: 2 if gone else 1,
        result=lambda gone: Text("编译出来的内核里没有 `n_rows` 这个参数了。在 H200 上试过：1 行对，99 行原封未动。", "The compiled kernel has no parameter `n_rows` any more. Tried on an H200: 1 row right, 99 untouched."),
    ),
}  # fmt: skip
