"""The exercises and the questions of 04_grid_stride_kernel."""

import heapq

import torch

from ..backend import triton
from ..language import Text
from .engine import Exercise, Wrong
from .kernel_probes import Layout
from .nb04_questions import QUESTIONS
from .probes import close, near, number
from .schedule_probes import each_row_once, shares

__all__ = ["EXERCISES", "QUESTIONS"]

# ---- how busy the programs are


def _busy(answer):
    for costs, programs in [([1] * 12, 4), ([1] * 10, 4), ([1] * 3, 8), ([5, 1, 1, 1, 1, 1, 1], 3), ([3, 1, 1, 1, 2, 1], 2), ([1, 2, 3, 4, 5], 4)]:  # fmt: skip
        spent = [sum(costs[p::programs]) for p in range(programs)]
        want, got = sum(costs) / (programs * max(spent)), number(answer, costs, programs)
        if near(got, want):
            continue
        rounds, chunk = -(-len(costs) // programs), -(-len(costs) // programs)
        chunks = [sum(costs[p * chunk : (p + 1) * chunk]) for p in range(programs)]
        mistakes = [
            (100 * want, "要的是 0 到 1 之间的份额，不是百分数。", "A share between 0 and 1 is asked for, not a percentage."),
            (1 / want, "除反了：份额是干活的时间 ÷ 全部的时间。", "Upside down: the share is time in use ÷ all the time."),
            (1 - want, "这是闲着的份额。", "That is the idle share."),
            (len(costs) / (rounds * programs), "这个公式当每一行都一样长。长短不一时，要看哪个程序最后做完。", "That formula takes all rows to be alike. When they are not, see which program ends last."),
            (sum(costs) / (programs * max(chunks)), "这是连续分段；网格跨步里，程序 p 做第 p、p + P、p + 2P … 行。", "That is contiguous chunks; in a grid-stride loop, program p does rows p, p + P, p + 2P, …"),
            (sum(costs) / (programs * _handed_out(costs, programs)), "这是谁空下来就把下一行交给谁；网格跨步里，谁做哪一行是事先定好的。", "That hands the next row to whoever is free; in a grid-stride loop it is fixed beforehand who does which row."),
            (1.0, "用时由最后做完的程序决定，不是平均值：别人做完了，也得等它。", "The program that ends last decides the time, not the average: the others are done and wait."),
        ]  # fmt: skip
        for value, zh, en in mistakes:
            if abs(got - value) <= 1e-6:
                raise Wrong(f"{costs}，{programs} 个程序：{zh}", f"{costs}, {programs} programs: {en}")
        raise Wrong(
            f"{costs}，{programs} 个程序：应得 {want:g}，你给的是 {got:g}。",
            f"{costs}, {programs} programs: it should be {want:g}; you gave {got:g}.",
        )


def _handed_out(costs, programs) -> float:
    """When the last row ends if each goes to the program that is free first."""
    free = [0.0] * programs
    for cost in costs:
        heapq.heapreplace(free, free[0] + cost)
    return max(free)


# ---- as few programs as will do


def _fewest_programs(answer):
    for rows, most in [(4096, 1056), (1057, 1056), (12, 4), (10, 4), (7, 100), (4097, 132), (1, 1), (100, 99)]:
        rounds = -(-rows // most)
        want, got = -(-rows // rounds), number(answer, rows, most)
        asked, asked_en = f"{rows} 行，最多 {most} 个程序", f"{rows} rows, at most {most} programs"
        if got == want:
            continue
        if got != int(got):
            raise Wrong(f"{asked}：{got:g} 不是整数。", f"{asked_en}: {got:g} is not a whole number.")
        if not 1 <= got <= most:
            raise Wrong(f"{asked}：{got:g} 超出了范围。", f"{asked_en}: {got:g} is out of range.")
        now = -(-rows // int(got))
        if now > rounds:
            raise Wrong(
                f"{asked}：{got:g} 个程序要走 {now} 轮，{most} 个只要 {rounds} 轮。向上取整。",
                f"{asked_en}: {got:g} programs take {now} rounds, where {most} take {rounds}. Round up.",
            )
        raise Wrong(
            f"{asked}：{got:g} 个程序走 {now} 轮，没错；但 {want} 个也只要 {now} 轮。",
            f"{asked_en}: {got:g} programs take {now} rounds, true; but {want} would too.",
        )


# ---- another schedule


def _chunk_kernel(kernel):
    for rows, programs in [(12, 4), (10, 4), (9, 4), (3, 8), (13, 8), (7, 1), (1, 1), (16, 3)]:
        x = torch.randn(rows, 5, generator=torch.Generator().manual_seed(rows))
        found = shares(kernel, x, programs, Layout(spare=3))
        each_row_once(found, rows, programs)
        for program, done in found.rows.items():
            if done != list(range(done[0], done[0] + len(done))):
                raise Wrong(
                    f"{rows} 行、{programs} 个程序：程序 {program} 做的是第 {done} 行，不是连续的一段。",
                    f"{rows} rows, {programs} programs: program {program} did rows {done}, which are not one chunk.",
                )
            if len(done) > -(-rows // programs):
                raise Wrong(
                    f"{rows} 行、{programs} 个程序：程序 {program} 做了 {len(done)} 行；最忙的也不该超过 {-(-rows // programs)} 行。",
                    f"{rows} rows, {programs} programs: program {program} did {len(done)} rows; none should do more than "
                    f"{-(-rows // programs)}.",
                )
        _right_result(found, x)


def _right_result(found, x):
    if found.astray:
        raise Wrong(
            "有通道跑到了张量之外：掩码和步幅照上面的内核写。",
            "Lanes leave their tensor: take the mask and the strides from the kernel above.",
        )
    if not close(found.y, torch.softmax(x, 1)):
        raise Wrong(
            "每一行都做了一遍，但结果不是 softmax。", "Every row was done once, but the result is not its softmax."
        )


# ---- find and mend


def _mended_kernel(kernel):
    for rows, programs in [(8, 4), (8, 2), (8, 8), (10, 4), (7, 3), (3, 5), (1, 1)]:
        x = torch.randn(rows, 5, generator=torch.Generator().manual_seed(rows))
        found = shares(kernel, x, programs, Layout(spare=3))
        each_row_once(found, rows, programs)
        _right_result(found, x)
    far, x = 2**30, torch.zeros(5, 4)
    for which, zh, en, strides in (("load", "输入", "input", (4, far)), ("store", "输出", "output", (far, 4))):
        found = shares(kernel, x, 2, strides=strides)
        if found.offsets[which] != {row * far + column for row in range(5) for column in range(4)}:
            raise Wrong(
                f"{zh}的行步幅是 2³⁰ 时，第 2 行的偏移成了 {min(found.offsets[which])}：行号乘步幅仍按 int32 算。",
                f"With a row stride of 2³⁰ in the {en}, row 2 lands at offset {min(found.offsets[which])}: row times stride "
                "is still computed in int32.",
            )


# ---- how many stages fit


def staged_bytes(n_cols: int, itemsize: int, stages: int) -> int:
    """Shared memory of the pipelined kernel with 8 warps: one row fewer than stages, and a float32 of each warp."""
    return (stages - 1) * triton.next_power_of_2(n_cols) * itemsize + 4 * 8


def _most_stages(answer):
    cases = [(65536, 4, 232448), (32768, 4, 232448), (16384, 4, 232448), (8192, 4, 101376), (12000, 2, 232448), (781, 4, 166912), (1024, 2, 4096), (1024, 4, 8224), (256, 4, 65536), (32768, 2, 65536)]  # fmt: skip
    for n_cols, itemsize, limit in cases:
        block = triton.next_power_of_2(n_cols) * itemsize
        want, got = (limit - 32) // block + 1, number(answer, n_cols, itemsize, limit)
        asked = f"({n_cols}, {itemsize}, {limit})"
        if got == want:
            continue
        if got < 1:
            raise Wrong(
                f"{asked}：你给的是 {got:g}。1 级不在共享内存里存行，总是放得下。",
                f"{asked}: you gave {got:g}. One stage keeps no row in shared memory and always fits.",
            )
        for value, zh, en in [
            ((limit - 32) // (n_cols * itemsize) + 1, "占地方的是整个块（BLOCK_SIZE），不是 n_cols 列。", "A whole block (BLOCK_SIZE) takes up room, not n_cols columns."),
            ((limit - 32) // (block // itemsize * 4) + 1, "一个元素不总是 4 字节，看 itemsize。", "An element is not always 4 bytes; see itemsize."),
            (limit // block + 1, "还有归约用的 32 字节。", "The reductions need 32 bytes as well."),
            (max(1, (limit - 32) // block), "s 级在共享内存里存 s − 1 行，不是 s 行。", "With s stages, s − 1 rows lie in shared memory, not s."),
            ((limit - 32) / block + 1, "要的是整数：向下取整。", "A whole number is asked for: round down."),
        ]:  # fmt: skip
            if got == value:
                raise Wrong(f"{asked}：应是 {want} 级，你给的是 {got:g}。{zh}", f"{asked}: {want} stages; you gave {got:g}. {en}")  # fmt: skip
        raise Wrong(f"{asked}：应是 {want} 级，你给的是 {got:g}。", f"{asked}: {want} stages; you gave {got:g}.")


EXERCISES = {
    "busy": Exercise(
        "busy",
        _busy,
        Text(
            "行一样长时，它就是 M ÷ (轮数 × P)；有长有短时，事先分好的份会让人白等。",
            "With rows all alike this is M ÷ (rounds × P); with long and short ones, shares dealt out beforehand make programs wait.",
        ),
    ),
    "fewest_programs": Exercise(
        "fewest_programs",
        _fewest_programs,
        Text(
            "同样的轮数，更少的程序：4096 行、最多 1056 个程序时，1024 个正好，一个也不闲。",
            "The same rounds with fewer programs: for 4096 rows and at most 1056 programs, 1024 do it and none is idle.",
        ),
    ),
    "chunk_kernel": Exercise(
        "chunk_kernel",
        _chunk_kernel,
        Text(
            "每一行都做了一遍，也只做了一遍。换一种分法，答案和搬运都不变。",
            "Every row was done, and done once. With another schedule the result and the traffic stay the same.",
        ),
    ),
    "mended_kernel": Exercise(
        "mended_kernel",
        _mended_kernel,
        Text(
            "几个程序都行，剩几行都行，第 2³¹ 个元素之后也行。",
            "Right for any number of programs, any number of rows left over, and beyond element 2³¹.",
        ),
    ),
    "most_stages": Exercise(
        "most_stages",
        _most_stages,
        Text(
            "能放下不等于该用满：存得越多，同一个多处理器上放得下的程序越少。",
            "What fits is not what pays: the more a program stores, the fewer programs fit on a multiprocessor.",
        ),
    ),
}
