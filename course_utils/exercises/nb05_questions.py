"""What 05_occupancy_launcher lets the learner predict, and how each result is found."""

from functools import partial

import torch

from ..language import Text
from .prediction import Option, Question


def _row_kernel_on_h200(block):
    from ..compiler import compile_for
    from ..occupancy import of
    from ..softmax import row_kernel

    dtype = torch.float32
    return of(compile_for(row_kernel, "H200", dtype, dtype, block, block, block, BLOCK_SIZE=block, num_warps=8))


def _room(fits) -> Text:
    """For how many programs each of the four would do."""
    return Text(
        "寄存器够 {registers} 个 program，共享内存够 {shared} 个，warp 数的上限够 {warps} 个，program 数的上限是 {programs} 个。".format(**fits.limits),
        "Registers would do for {registers} programs, shared memory for {shared}, the limit on warps for {warps}, the limit on programs for {programs}.".format(**fits.limits),
    )  # fmt: skip


def _times(stages) -> dict[int, float]:
    """The recorded milliseconds by programs on an SM."""
    from ..measurements import recorded

    return {grid.per_multiprocessor: grid.median_ms for grid in recorded("occupancy_grids", stages=stages)}


def _best_of_eight() -> int:
    times = _times(4)
    return min(range(1, 9), key=times.get)


def _average_finish() -> dict[int, float]:
    """After how many microseconds the average program is done, by programs on an SM."""
    from statistics import mean

    from ..measurements.launches import finishes

    ends = {p: finishes(105600, 1024, stages=4, programs=p) for p in (4, 8)}
    return {p: mean(sm.mean_us for sm in sms) for p, sms in ends.items()}


def _who_wins() -> dict[str, float]:
    """The microseconds of each."""
    from ..measurements.launches import fastest

    launch = partial(fastest, "grid stride", 4096, 1024)
    found = {
        "computed": launch(stages=1, num_warps=4, programs=16),
        "searched": launch(),
        "rows": fastest("row", 4096, 1024),
    }
    return {name: one.median_us for name, one in found.items()}


def _winner(times: dict[str, float]) -> str:
    if times["rows"] < times["searched"]:
        return "rows"
    return "searched" if times["searched"] < 0.99 * times["computed"] else "computed"


QUESTIONS = {
    "runs_out": Question(
        measure=lambda: _row_kernel_on_h200(1024),
        options=lambda fits: [
            Option(Text("寄存器", "registers"), Text("65536 个听着多，8 个 program 就有 2048 个线程来分；不过还够 10 个 program。", "65536 sounds like plenty, and 8 programs have 2048 threads to share them. Still, 10 programs could have theirs.")),
            Option(Text("共享内存", "shared memory"), Text("这个 kernel 只用 32 字节，给 8 个 warp 交换中间结果；够 202 个 program。", "This kernel uses a mere 32 bytes, for its 8 warps to exchange what they found. That would do for 202 programs.")),
            Option(Text("program 数", "the number of programs"), Text("上限是 32；只有 program 很小（1 个 warp）时才轮到它。", "The limit is 32; it takes very small programs, of 1 warp, to get there.")),
            Option(Text("warp 数", "the number of warps"), Text("每个 program 有 8 个，8 个 program 就是 64 个，到上限了。", "Each program has 8, so 8 programs make 64, and that is the limit.")),
        ],
        right=lambda fits: ("registers", "shared", "programs", "warps").index(fits.limited_by),
        result=_room,
    ),
    "wider_block": Question(
        measure=lambda: _row_kernel_on_h200(16384),
        options=lambda fits: [
            Option(Text("warp 数", "the number of warps"), Text("每个 program 还是 8 个，2 个 program 才 16 个，离 64 还远。", "Each program still has 8, so 2 programs have 16, and the limit is 64.")),
            Option(Text("共享内存", "shared memory"), Text("行在寄存器里，不在共享内存里；那里还是只有归约用的几十字节。", "The row is in registers, not in shared memory; that still holds a few bytes for the reductions.")),
            Option(Text("寄存器", "registers"), Text("每个线程约 100 个，取整成 104，一共只放得下 16 个 warp，也就是 2 个 program。", "About 100 a thread, rounded up to 104: room for 16 warps, that is 2 programs.")),
            Option(Text("program 数", "the number of programs"), Text("上限是 32，2 个还差得远。", "The limit is 32, and 2 are far from it.")),
        ],
        right=lambda fits: ("warps", "shared", "registers", "programs").index(fits.limited_by),
        result=_room,
    ),
    "with_a_pipeline": Question(
        measure=_best_of_eight,
        options=lambda best: [
            Option(Text("8 个：占用率 100%", "8: an occupancy of 100%"), Text("一级的时候是这样。四级时，每个 program 已经有好几行在路上。", "So it was with one stage. With four, each program has several rows on their way already.")),
            Option(Text("4 个：占用率 50%", "4: an occupancy of 50%"), Text("每个 program 的在途字节多了，够用的 program 就少了。", "With more bytes in flight for each program, fewer programs are enough.")),
            Option(Text("1 个：占用率 12.5%", "1: an occupancy of 12.5%"), Text("方向对了，可一个还喂不饱显存。", "The right direction, but one alone cannot keep the memory busy.")),
        ],
        right=lambda best: (8, 4, 1).index(best),
        result=lambda best: Text(f"录下的是 {best} 个最快。", f"In the recording, {best} are fastest."),
    ),
    "average_finish": Question(
        measure=_average_finish,
        options=lambda ends: [
            Option(Text("更晚", "later"), Text("kernel 的确结束得更晚，可那是最后一个 program；平均起来不是。", "The kernel does end later, but that is its last program. The average one does not.")),
            Option(Text("差不多", "about the same"), Text("总的活一样多，每个 program 分到一半；可它们做完的时候差得很远。", "The work is the same in all, and each program has half of it. But they are done at very different times.")),
            Option(Text("更早", "earlier"), Text("平均更早；慢在最后几个。", "Earlier on average. What is slow is the last ones.")),
        ],
        right=lambda ends: 2 if ends[8] < 0.97 * ends[4] else 0 if ends[8] > 1.03 * ends[4] else 1,
        result=lambda ends: Text(f"4 个时平均 {ends[4]:.0f} µs，8 个时 {ends[8]:.0f} µs。", f"On average {ends[4]:.0f} µs with 4, {ends[8]:.0f} µs with 8."),
    ),
    "who_wins": Question(
        measure=_who_wins,
        options=lambda times: [
            Option(Text("03 的：一行一个 program", "03's: one program per row"), Text("4096 行、1024 列时，硬件自己派活，派得又快又匀。", "With 4096 rows of 1024 columns the hardware hands out the programs itself, fast and evenly.")),
            Option(Text("算出来的：放得下几个就启动几个", "the computed launch: as many as fit"), Text("它离搜出来的不远，可两个都不是最快的。", "It is close to the searched one, but neither is the fastest.")),
            Option(Text("搜出来的：每一种都试过", "the searched launch: every configuration was tried"), Text("它是常驻 kernel 里最快的，可搜索范围里没有“一行一个 program”。", "It is the fastest of the persistent launches. But one program per row was not among the configurations.")),
        ],
        right=lambda times: ("rows", "computed", "searched").index(_winner(times)),
        result=lambda times: Text(
            "算出来的 {computed:.2f} µs，搜出来的 {searched:.2f} µs，一行一个 program {rows:.2f} µs。".format(**times),
            "Computed {computed:.2f} µs, searched {searched:.2f} µs, one program per row {rows:.2f} µs.".format(**times),
        ),
    ),
}  # fmt: skip
