"""What A1_amd_and_ascend lets the learner predict, and how each result is found."""

import torch

from .. import hardware
from .prediction import questions


def _row_kernel(device, n_cols):
    from ..compiler import compile_for
    from ..softmax import row_kernel

    dtype = torch.float32
    return compile_for(row_kernel, device, dtype, dtype, n_cols, n_cols, n_cols, BLOCK_SIZE=1024, num_warps=8)


def _fits(device) -> int:
    from ..occupancy import of

    return of(_row_kernel(device, 1024)).programs


def _tutorial_on(device):
    """Whether tutorial 02's list for AMD has its architecture."""
    return hardware.chip_of(device).name in ("gfx940", "gfx941", "gfx942", "gfx90a", "gfx908")


def _offset_of_masked_lanes() -> int:
    from ..compiler import masked_load

    beyond_to_load = masked_load(_row_kernel("MI300X", 781))
    return 2**31 if len(beyond_to_load) == 4 else 0


def _mask_is_a_length() -> bool:
    from ..measurements.bench.recording import FOLDER

    text = (FOLDER / "ascend910b-row_kernel.mlir").read_text()
    return "memref.copy" in text and "arith.minsi" in text and "tt.load" not in text


QUESTIONS = questions(
    """
programs
910B2 有 {} 个向量核。 | A 910B2 has {} vector cores.
4096: 4096 个，一行一个，跟 GPU 一样 | 4096, a program a row, as on a GPU
那要走 86 轮，每一轮都付启动的开销。
That takes 86 rounds, and each pays the start-up.
384: 384 个，每个核 8 个，好互相掩盖延迟 | 384, eight to a core, to hide latency
一个核一次只做一个 program，那是 8 轮。
A core does one program at a time, so that is 8 rounds.
48: 48 个，每个核 1 个 | 48, one to a core
一轮做完，每个 program 留下来做许多行。
That is one round, and every program stays for many rows.

waves
编译出来一算：{} 个。 | Compiled and counted: {}.
4: 4 个 | 4
一个 wave 有 64 个线程，8 个 wave 就是 512 个；一个 CU 最多驻留 32 个 wave，32 ÷ 8 = 4。
A wave has 64 threads, so 8 waves are 512. At most 32 waves are resident on a CU: 32 ÷ 8 = 4.
8: 8 个，跟 H100 一样 | 8, as on an H100
那要 64 个 wave；一个 CU 最多驻留 32 个。
That would take 64 waves; at most 32 are resident on a CU.
16: 16 个：寄存器更多 | 16: it has more registers
寄存器确实够用，可先到头的是 wave 数。
It does have the registers, but the number of waves is the limit that comes first.

listed
名单里没有它：报 `UnboundLocalError`。 | It is not on the list: `UnboundLocalError`.
True: 4 个，跟 MI300X 一样 | 4, as on an MI300X
硬件确实容得下 4 个，可教程先要在名单里找到它的架构。
The hardware does hold 4, but first the tutorial has to find its architecture on the list.
False: 算不出来，报错 | none: it raises an error
名单里没有 gfx950，`num_gprs` 没有赋值就用上了。
gfx950 is not on the list, so `num_gprs` is used before it is assigned.
–: 8 个：更新的卡，更大 | 8: a newer card, a larger one
驻留的 wave 数并没有变。
The limit on resident waves is the same.

address
它的偏移换成了 {}。 | Its offset becomes {}.
0: 不读，跟 H100 一样 | it does not load, as on an H100
那要给每条读指令配一个开关；这里的读指令没有开关。
That would take a switch for each load; these loads have none.
–: 照常读自己的位置，读完丢掉 | it loads from its own place, and drops the value
最后一行会读出界，读到的地址说不定没有映射。
In the last row that is past the end, where perhaps nothing is mapped.
2147483648: 去读一个故意越界的地址 | it loads from an address that is out of bounds on purpose
它的偏移换成 2147483648，硬件看到越界就给 0。
Its offset becomes 2147483648, and for what is out of bounds the hardware returns 0.

mask
只剩一次拷贝和它的长度。 | What is left is one copy, and its length.
True: 不见了：只拷贝前 n_cols 个 | gone: only the first n_cols are copied
编译器看出掩码是“前几个”，于是把它变成了拷贝的长度。
The compiler sees that the mask means “the first so many”, and makes it the length of the copy.
–: 不见了：整块都读，越界也读 | gone: the whole block is read, past the end too
那会读到别人的数据。
That would read somebody else's data.
False: 每个元素一个开关，跟 H100 一样 | a switch for each element, as on an H100
GPU 上是每个 lane 自己去读；这里搬数据的不是 lane。
On a GPU each lane loads for itself. Here it is not lanes that move data.
""",
    programs=lambda: hardware.find("Ascend 910B2").vector_cores,
    waves=lambda: _fits("MI300X"),
    listed=lambda: _tutorial_on("MI355X"),
    address=_offset_of_masked_lanes,
    mask=_mask_is_a_length,
)
