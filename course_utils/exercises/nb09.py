"""What 09_one_row_many_sms lets the learner predict, and how each result is found."""

import torch

from ..backend import device, tl, triton
from ..measurements import recorded
from .prediction import questions


@triton.jit
def _meeting_kernel(arrived_ptr, PARTS: tl.constexpr):
    tl.atomic_add(arrived_ptr, 1)
    while tl.atomic_add(arrived_ptr, 0) < PARTS:
        pass


@triton.jit
def _flagged_kernel(out_ptr, block_ptr, flag_ptr, SIZE: tl.constexpr):
    lanes = tl.arange(0, SIZE)
    if tl.program_id(0) == 0:
        tl.store(block_ptr + lanes, 2.0)
        tl.atomic_xchg(flag_ptr, 1, sem="relaxed")
    else:
        while tl.atomic_add(flag_ptr, 0, sem="relaxed") == 0:
            pass
        tl.store(out_ptr + lanes, tl.load(block_ptr + lanes))


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


def _flagged() -> str:
    from ..races import find_races

    given = torch.zeros(8), torch.zeros(8), torch.zeros(1, dtype=torch.int32)
    found = find_races(_flagged_kernel, (2,), *given, SIZE=8)
    return ("unpromised" if found.races else "promised") if found.outcomes["out_ptr"] == [[2.0] * 8] else "wrong"


def _ways() -> tuple[str, float]:
    """The fastest way of an exchange, and its microseconds, as recorded."""
    ways = "two kernels", "grid barrier", "mailbox", "cluster"
    lines = [line for line in recorded("exchange", rows=8, team=8) if line.how in ways]
    fastest = min(lines, key=lambda line: line.median_us)
    return fastest.how, fastest.median_us


QUESTIONS = questions(
    """
two_kernels
账本数到 {:g}MN。 | The ledger counts {:g}MN.
1: MN：每个 program 只管自己那一段 | MN: each program has a part of its own
段是分开了，可是两个 kernel 各读一遍：寄存器里的东西留不到下一个 kernel。
The parts are separate, but each kernel reads them: nothing in registers lives on to the next.
2: 2MN | 2MN
求和一遍，写结果再一遍，与 08 一样。
Once for the sums and once for the result, as in 08.
3: 3MN | 3MN
最大值与和在同一遍里，这是 08 的功劳。
Maximum and sum come out of one pass, thanks to 08.

places
死锁。 | Deadlock.
False: 慢一倍：分两批做完 | half as fast: two batches
第一批要等到第二批，才做得完。
The first batch can't end before the second has come.
–: 结果错：少了四份 | a wrong result: four parts are missing
它们宁可等，也不会少算。
They wait rather than leave anything out.
True: 永远不结束 | it never ends
前四个等后四个，后四个等位置。
The first four wait for the others, and the others for a place.

turned
每种次序都得到 2，但没有保证。 | Every order gives 2, but nothing promises it.
promised: 对：看到旗时，数早写好了 | yes: with the flag up, the numbers have long been stored
对写的那个 program 是这样，别的 program 看到的次序可以不同。
To the program that stores, yes; others may see the stores in another order.
unpromised: 试过的次序都对，但没有保证 | in every order tried, but nothing promises it
没有什么把先后定下来，GPU 可以让后写的先到。
Nothing fixes the order, and a GPU may let the later store arrive first.
wrong: 试一试就会错 | no: wrong as soon as one tries
轮流走的时候，写的次序不会乱。
Where programs take turns, stores stay in sequence.

exchange
{}: {:.2f} µs | {}: {:.2f} µs
two kernels: 两个 kernel：什么也不用等 | two kernels: nothing waits
分界本身就是等，还要等一次启动。
The boundary between them is a wait, and a launch besides.
grid barrier: 整个 grid 的屏障：CUDA 自己的 | the grid's barrier: CUDA's own
它要等所有人，不只是自己那一队。
It waits for everybody, not for its own team alone.
mailbox: 信箱：只等自己那一队 | the mailbox: it waits for its own team alone
等得少，可是每个字都要经过 L2。
It waits for few, but each word goes through L2.
cluster: 簇：彼此的共享内存 | the cluster: each other's shared memory
它离得最近，不经过 L2。
It is nearest, and L2 is not on its way.
""",
    two_kernels=_read_by_two_kernels,
    places=_places,
    turned=_flagged,
    exchange=_ways,
)
