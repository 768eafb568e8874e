"""The exercises and the questions of 04_grid_stride_kernel."""

import heapq
import re

import torch

from ..backend import device, tl, triton
from ..language import Text
from .engine import Exercise, Wrong
from .kernel_probes import Layout
from .prediction import Option, Question
from .probes import close, number
from .schedule_probes import each_row_once, shares

# ---- how busy the programs are


def _busy(answer):
    for costs, programs in [([1] * 12, 4), ([1] * 10, 4), ([1] * 3, 8), ([5, 1, 1, 1, 1, 1, 1], 3), ([3, 1, 1, 1, 2, 1], 2), ([1, 2, 3, 4, 5], 4)]:  # fmt: skip
        spent = [sum(costs[p::programs]) for p in range(programs)]
        want, got = sum(costs) / (programs * max(spent)), number(answer, costs, programs)
        if abs(got - want) <= 1e-9:
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
            if abs(got - value) <= 1e-9:
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
            raise Wrong(f"{asked}：{got:g} 不是整数。", f"{asked_en}: {got:g} is no whole number.")
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


# ---- predictions


def _row_seven() -> int:
    @triton.jit
    def who_kernel(who_ptr, n_rows):
        row_start = tl.program_id(0)
        for row in tl.range(row_start, n_rows, tl.num_programs(0)):
            tl.store(who_ptr + row, row_start)

    who = torch.full((10,), -1, dtype=torch.int32, device=device)
    who_kernel[(4,)](who, 10)
    return who[7].item()


def _twice() -> float:
    rounds = [-(-rows // 1056) for rows in (1056, 1057)]
    return rounds[1] / rounds[0]


def _times_read() -> float:
    """Rows read by 4 programs over 10 rows when each goes on to the end, as a multiple of the rows there are."""
    return sum(len(range(program, 10)) for program in range(4)) / 10


def _pipelined(n_cols, stages):
    from ..compiler import Pointer, compile_for
    from ..softmax import grid_stride_kernel

    return compile_for(
        grid_stride_kernel, "H200", Pointer("float32"), Pointer("float32"), n_cols, n_cols, 4096, n_cols,
        BLOCK_SIZE=triton.next_power_of_2(n_cols), STAGES=stages, num_warps=8,
    )  # fmt: skip


def _when_ordered() -> str:
    """Where the loop of two stages orders its next row: before it computes, or after it stores."""
    loop = re.split(r"\n\$L__BB\d+_\d+:", _pipelined(1024, 2).text("ptx"))[1]
    order, compute, store = (loop.index(word) for word in ("cp.async.c", "ex2", "st.global"))
    return "before" if order < compute else "between" if order < store else "after"


def _launches() -> bool:
    from ..hardware import chip_of

    return _pipelined(32768, 4).shared <= chip_of("H200").shared_per_program


def _widths_won() -> int:
    """Of the recorded widths, those at which 4 stages are faster than a program a row."""
    from ..pipeline_recorded import recorded

    speed = {(run.columns, run.stages): run.bandwidth for run in recorded()}
    return sum(value > speed[columns, 0] for (columns, stages), value in speed.items() if stages == 4)


def _wrapped() -> int:
    return (torch.tensor(139_999, dtype=torch.int32) * 16384).item()


QUESTIONS = {
    "row_seven": Question(
        measure=_row_seven,
        options=lambda program: [
            Option(Text("程序 1：7 ÷ 4 的商", "program 1: the quotient of 7 ÷ 4"), Text("商是第几轮：第 7 行在第 1 轮做（从 0 数起）。谁来做，看余数。", "The quotient is the round: row 7 is done in round 1, counting from 0. Who does it is the remainder.")),
            Option(Text("程序 2：前 3 行给程序 0，接着 3 行给程序 1……", "program 2: the first 3 rows are program 0’s, the next 3 program 1’s …"), Text("这也是一种分法，叫连续分段；可这个循环每次跳 4 行。", "That is a schedule too, contiguous chunks; but this loop steps by 4.")),
            Option(Text("程序 3：7 ÷ 4 的余数", "program 3: the remainder of 7 ÷ 4"), Text("程序 3 做第 3 行，再跳 4 行到第 7 行。", "Program 3 does row 3, then steps 4 rows on to row 7.")),
            Option(Text("没有人：一共才 4 个程序", "nobody: there are only 4 programs"), Text("没有循环时确实如此；这里每个程序会接着做。", "True without the loop; here every program goes on.")),
        ],
        right=lambda program: {1: 0, 2: 1, 3: 2}.get(program, 3),
        result=lambda program: Text(f"第 7 个位置上写的是 {program}。", f"Place 7 holds {program}."),
    ),
    "one_more_row": Question(
        measure=_twice,
        options=lambda times: [
            Option(Text("多千分之一左右", "about a thousandth more"), Text("工作量确实只多了千分之一；时间却要看最后一轮何时做完。", "The work does grow by a thousandth; but the time is when the last round ends.")),
            Option(Text("多一半", "half as much again"), Text("方向对：那一行要单独再走一轮；一轮就是一整轮。", "The right direction, that row takes a round of its own; but a round is a whole round.")),
            Option(Text("翻一倍", "twice as much"), Text("1056 行走 1 轮，1057 行走 2 轮；第二轮只有一个程序在干活。", "1056 rows take 1 round, 1057 take 2, and in the second one program works alone.")),
        ],
        right=lambda times: min(range(3), key=lambda k: abs((1057 / 1056, 1.5, 2)[k] - times)),
        result=lambda times: Text(f"轮数是原来的 {times:g} 倍。", f"The rounds are {times:g} times as many."),
    ),
    "no_step": Question(
        measure=_times_read,
        options=lambda times: [
            Option(Text("结果错，搬运不变", "a wrong result, the same traffic"), Text("每一行都算过，写的也都是对的值，只是写了不止一遍。", "Every row is computed and what is written is right; it is only written more than once.")),
            Option(Text("结果错，搬运变多", "a wrong result, more traffic"), Text("搬运是多了；可几个程序写下的是同样的值，谁先谁后都一样。", "There is more traffic, true; but the programs write equal values, and their order makes no difference.")),
            Option(Text("结果对，搬运变多", "a right result, more traffic"), Text("一行最多有 4 个程序抢着做，写下的值都一样。", "Up to 4 programs do one row, and all of them write the same values.")),
            Option(Text("结果对，搬运不变", "a right result, the same traffic"), Text("结果是对的；但同一行被读了好几遍。", "The result is right; but one row is read several times.")),
        ],
        right=lambda times: 2 if times > 1 else 3,
        result=lambda times: Text(f"结果对，读写都是 {times:g} 倍。", f"A right result, and {times:g} times the reads and writes."),
    ),
    "two_stages": Question(
        measure=_when_ordered,
        options=lambda when: [
            Option(Text("算这一行之前", "before computing this row"), Text("那样最好，算的时候它就在路上；可是那要两行的地方，2 级只有一行。", "That would be best, it would travel during the computation; but it takes room for two rows, and 2 stages have one.")),
            Option(Text("算完之后、写回之前", "after computing, before storing"), Text("有道理，这时那块共享内存早已空了；编译器却排得更晚。", "Reasonable, the shared memory is free by then; but the compiler orders even later.")),
            Option(Text("写回这一行之后", "after storing this row"), Text("刚下单就回到循环开头等它：算和等一点也不重叠。", "It orders, goes back to the top and waits for it: computing and waiting do not overlap at all.")),
        ],
        right=lambda when: ("before", "between", "after").index(when),
        result=lambda when: {
            "before": Text("编译出的循环先下单，再算。", "The compiled loop orders first and computes then."),
            "between": Text("编译出的循环算完下单，再写回。", "The compiled loop orders after computing, then stores."),
            "after": Text("编译出的循环里，下单排在写回之后。", "In the compiled loop the order comes after the store."),
        }[when],
    ),
    "wide": Question(
        measure=_launches,
        options=lambda runs: [
            Option(Text("能运行，而且更快：存得越多越好", "it runs, and faster: the more is stored the better"), Text("存得多是要地方的：3 行 × 131072 字节。", "Storing takes room: 3 rows × 131072 bytes.")),
            Option(Text("能运行，只是每个多处理器只放得下一个程序", "it runs, but only one program fits on a multiprocessor"), Text("16384 列时正是这样；32768 列连一个也放不下。", "So it is at 16384 columns; at 32768 not even one fits.")),
            Option(Text("启动不了", "it cannot be launched"), Text("3 行就有 393216 字节，比一个程序可用的共享内存还多。", "3 rows alone are 393216 bytes, more than the shared memory that a program may use.")),
            Option(Text("编译不了", "it cannot be compiled"), Text("编译器只数要多少，不管有没有；启动时才见分晓。", "The compiler counts what is needed, not what is there; the launch decides.")),
        ],
        right=lambda runs: 1 if runs else 2,
        result=lambda runs: Text("放得下。", "It fits.") if runs else Text("需要的比有的多，启动时报错。", "It needs more than there is; the launch fails."),
    ),
    "pays": Question(
        measure=_widths_won,
        options=lambda won: [
            Option(Text("9 种都快", "at all 9"), Text("流水线听上去只有好处；可它占的共享内存，本可以装下别的程序。", "A pipeline sounds like pure gain; but the shared memory it takes could have held other programs.")),
            Option(Text("大约 6 种", "at about 6"), Text("在窄的几种里确实赢过；宽了就不行。", "It does win at some narrow widths; at wide ones it does not.")),
            Option(Text("大约 2 种", "at about 2"), Text("省下的开头不贵，空隙又有别的程序来填，剩不下多少便宜可占。", "The beginning it saves is cheap, and other programs fill the gaps: little is left to gain.")),
            Option(Text("1 种也没有", "at none"), Text("差一点：在个别宽度上，提前下单还是占了便宜。", "Nearly: at a width or two, ordering ahead does pay.")),
        ],
        right=lambda won: min(range(4), key=lambda k: abs((9, 6, 2, 0)[k] - won)),
        result=lambda won: Text(f"录到的 9 种宽度里有 {won} 种。", f"At {won} of the 9 recorded widths."),
    ),
    "offset": Question(
        measure=_wrapped,
        options=lambda offset: [
            Option(Text("2293743616", "2293743616"), Text("数学上正是这个数；int32 最大只到 2147483647。", "In mathematics it is just that; but int32 ends at 2147483647.")),
            Option(Text("2147483647：停在最大的数上", "2147483647: it stops at the largest number"), Text("浮点数溢出会停在 inf；整数溢出不停，会绕回去。", "A float that overflows stops at inf; an integer does not stop, it wraps around.")),
            Option(Text("−2001223680", "−2001223680"), Text("超出的部分绕回到负数：2293743616 − 2³²。", "What is beyond wraps around to the negative: 2293743616 − 2³².")),
            Option(Text("报错", "an error"), Text("GPU 上的整数溢出没有任何声响。", "Integer overflow on a GPU makes no sound at all.")),
        ],
        right=lambda offset: {2293743616: 0, 2147483647: 1, -2001223680: 2}.get(offset, 3),
        result=lambda offset: Text(f"32 位乘法得到 {offset}。", f"A 32-bit multiplication gives {offset}."),
    ),
}  # fmt: skip
