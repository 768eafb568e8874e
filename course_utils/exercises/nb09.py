"""What 09_one_row_many_sms lets the learner predict, and how each result is found."""

import torch

from ..backend import device, tl, triton
from ..language import Text
from ..measurements import recorded
from .prediction import Option, Question


@triton.jit
def _meeting_kernel(arrived_ptr, PARTS: tl.constexpr):
    tl.atomic_add(arrived_ptr, 1)
    while tl.atomic_add(arrived_ptr, 0) < PARTS:
        pass


@triton.jit
def _turned_kernel(out_ptr, m_ptr, s_ptr):
    if tl.program_id(0) == 0:
        tl.store(s_ptr, 2.0)
        tl.store(m_ptr, 1.0)
    else:
        while tl.load(m_ptr, volatile=True) == 0.0:
            pass
        tl.store(out_ptr, tl.load(s_ptr))


def _read_by_two_kernels() -> float:
    """Elements of x that the two launches read, in units of MN."""
    from ..softmax.split import finish, parts_kernel
    from ..traffic import ledger

    x = torch.zeros(2, 64, device=device)
    pairs = torch.zeros(2, 2, 2, device=device)
    with ledger() as book:
        parts_kernel[(4,)](pairs, x, 64, 64, ALIGN=1, PARTS=2, BLOCK=32, ACC=tl.float32, EARLY=False)
        finish(pairs, x)
    of_x = sum(t.loads for launch in book.launches for t in launch.tensors if t.name == "x_ptr")
    return of_x / x.numel()


def _places() -> bool:
    from ..races import find_races

    return find_races(_meeting_kernel, (8,), torch.zeros(1, dtype=torch.int32), places=4, PARTS=8).deadlock is not None


def _turned() -> tuple[bool, bool]:
    """Whether all orders that were tried end well, and whether there is a race."""
    from ..races import find_races

    found = find_races(_turned_kernel, (2,), *(torch.zeros(1) for _ in range(3)))
    return found.outcomes["out_ptr"] == [[2.0]], bool(found.races)


WAYS = {
    "two kernels": Option(
        Text("两个 kernel：什么也不用等", "two kernels: nothing waits"),
        Text("分界本身就是等，还要等一次启动。", "The boundary between them is a wait, and a launch besides."),
    ),
    "grid barrier": Option(
        Text("整个 grid 的屏障：CUDA 自己的", "the grid's barrier: CUDA's own"),
        Text("它要等所有人，不只是自己那一队。", "It waits for everybody, not for its own team alone."),
    ),
    "mailbox": Option(
        Text("信箱：只等自己那一队", "the mailbox: it waits for its own team alone"),
        Text("等得少，可是每个字都要经过 L2。", "It waits for few, but each word goes through L2."),
    ),
    "cluster": Option(
        Text("簇：彼此的共享内存", "the cluster: each other's shared memory"),
        Text("它离得最近，不经过 L2。", "It is nearest, and L2 is not on its way."),
    ),
}


def _ways() -> dict:
    """{how: microseconds of an exchange}, as recorded."""
    lines = recorded("exchange", rows=8, team=8)
    return {line.how: line.median_us for line in lines if line.how in WAYS}


QUESTIONS = {
    "two_kernels": Question(
        measure=_read_by_two_kernels,
        options=lambda read: [
            Option(Text("MN：每个 program 只管自己那一段", "MN: each program has a part of its own"), Text("段是分开了，可是两个 kernel 各读一遍：寄存器里的东西留不到下一个 kernel。", "The parts are separate, but each kernel reads them: nothing in registers lives on to the next.")),
            Option(Text("2MN", "2MN"), Text("求和一遍，写结果再一遍，与 08 一样。", "Once for the sums and once for the result, as in 08.")),
            Option(Text("3MN", "3MN"), Text("最大值与和在同一遍里，这是 08 的功劳。", "Maximum and sum come out of one pass, thanks to 08.")),
        ],
        right=lambda read: (1.0, 2.0, 3.0).index(read),
        result=lambda read: Text(f"账本数到 {read:g}MN。", f"The ledger counts {read:g}MN."),
    ),
    "places": Question(
        measure=_places,
        options=lambda stuck: [
            Option(Text("慢一倍：分两批做完", "half as fast: two batches"), Text("第一批要等到第二批，才做得完。", "The first batch can't end before the second has come.")),
            Option(Text("结果错：少了四份", "a wrong result: four parts are missing"), Text("它们宁可等，也不会少算。", "They wait rather than leave anything out.")),
            Option(Text("永远不结束", "it never ends"), Text("前四个等后四个，后四个等位置。", "The first four wait for the others, and the others for a place.")),
        ],
        right=lambda stuck: 2 if stuck else 0,
        result=lambda stuck: Text("死锁。" if stuck else "结束了。", "Deadlock." if stuck else "It ends."),
    ),
    "turned": Question(
        measure=_turned,
        options=lambda found: [
            Option(Text("对：看到 m 时，s 早写好了", "right: with m there, s has long been stored"), Text("对写的那个 program 是这样，别的 program 看到的次序可以不同。", "To the program that stores, yes; others may see the stores in another order.")),
            Option(Text("试出来的都对，但没有保证", "right whenever tried, but nothing promises it"), Text("没有什么把先后定下来，GPU 可以让后写的先到。", "Nothing fixes the order, and a GPU may let the later store arrive first.")),
            Option(Text("试一试就会错", "wrong as soon as one tries"), Text("轮流走的时候，写的次序不会乱。", "Where programs take turns, stores stay in sequence.")),
        ],
        right=lambda found: (1 if found[1] else 0) if found[0] else 2,
        result=lambda found: Text("每种次序都得到 2，但没有保证。", "Every order gives 2, but nothing promises it."),
    ),
    "exchange": Question(
        measure=_ways,
        options=list(WAYS.values()),
        right=lambda us: list(WAYS).index(min(us, key=us.get)),
        result=lambda us: Text(*[f"{min(us, key=us.get)}: {min(us.values()):.2f} µs"] * 2),
    ),
}  # fmt: skip
