"""What A2_compiled_kernels_and_launches lets the learner predict, and how each result is found."""

import torch

from ..measurements import measure
from .prediction import questions


def _knows_one_row() -> bool:
    """Whether the kernel compiled for one row still asks how many rows there are."""
    from ..compiler import compile_for
    from ..softmax import grid_stride_kernel

    dtype = torch.float32
    compiled = compile_for(
        grid_stride_kernel, "H100", dtype, dtype, 1024, 1024, 1, 1024, BLOCK_SIZE=1024, STAGES=2, num_warps=8
    )  # fmt: skip
    return "n_rows" not in compiled.parameters


def _graph_saves() -> float:
    """How many times as long the five recorded calls of naive keep the host busy as they take out of a CUDA graph."""
    return measure("calls", what="naive", way="host")[()] / measure("calls", what="naive", way="graph")[()]


def _empty_launch() -> float:
    """Microseconds that the host takes to launch a kernel that does nothing."""
    return measure("calls", what="empty kernel", way="host")[()]


def _early_saves() -> tuple[str, float, float]:
    """Where an early start saves much at 4096 rows of 256 float32, and how many microseconds: sustained, then hot."""

    def took(state, idea):
        return measure("without", state=state, dtype="float32", columns=256, idea=idea)[()]

    sustained, hot = (took(state, "early start") - took(state, "") for state in ("sustained", "hot"))
    return "neither" if sustained < 0.2 else "sustained" if hot < 0.2 else "both", sustained, hot


QUESTIONS = questions(
    """
empty
录下的是 {:.1f} µs。 | {:.1f} µs was recorded.
0.5: 不到 1 µs | less than 1 µs
光是走一遍 Python 里的参数和缓存就不止这些。
Python's walk through arguments and cache alone takes longer.
3: 2 到 4 µs | 2 to 4 µs
这差不多是 C++ 里启动一次的开销；Triton 的启动在 Python 里。
That is about what a launch from C++ costs. Triton launches from Python.
15: 10 到 20 µs | 10 to 20 µs
比 4096×256 的 softmax 在 GPU 上的用时还长。
Longer than a softmax of 4096×256 takes on the GPU.
60: 50 µs 以上 | more than 50 µs
第一次要编译，比这还久；以后有缓存。
The first time it compiles, and takes longer still. After that there is the cache.

early
sustained 省 {1:.2f} µs，hot 省 {2:.2f} µs。 | Sustained it saves {1:.2f} µs, hot {2:.2f} µs.
–: 都省一半 | half of it, in both states
能藏起来的只是两个 kernel 之间的空隙，搬字节的时间省不掉。
Only the gap between two kernels can be hidden, not the time that moving bytes takes.
sustained: sustained 省半微秒多，hot 几乎不省 | over half a microsecond sustained, next to nothing hot
hot 时前一个 kernel 是 PyTorch 的，它不放后一个进来。
Hot, the kernel before is PyTorch's, which lets nobody in.
both: 都省半微秒多 | over half a microsecond, in both states
要前一个 kernel 肯放行；hot 时那是 PyTorch 的 kernel。
That takes a kernel before it that lets it in. Hot, that one is PyTorch's.
neither: 都不省 | nothing in either
sustained 时，前一个就是它自己，肯放行。
Sustained, the kernel before is itself, and lets it in.

one_row
编译出来的 kernel 里没有 `n_rows` 这个参数了。传进去的 100 用不上，只会做第 0 行。 | The compiled kernel has no parameter `n_rows` any more. The 100 is passed and never used: only row 0 would be done.
False: 100 行都对，只是慢 | 100 right rows, only slower
那得是 kernel 里还有“行数”这个变量；去看它的参数表。
For that the kernel would have to know of a number of rows still; look at its parameters.
True: 只有第 0 行是对的，也不报错 | row 0 is right, the others are not, and no error
等于 1 的整数被当成常数编译了进去，循环到 1 为止；其余 99 行从没有人写过。
An integer that equals 1 is compiled in as a constant, so the loop ends at 1, and nobody ever writes the other 99 rows.
–: 报错 | an error
但愿如此。宽度变了会报“地址未对齐”；行数变了，一声不响。
If only. A changed width says “misaligned address”; a changed number of rows says nothing at all.

graph
录下的是 {:.1f} 倍。 | {:.1f} times was recorded.
1: 几乎没变：kernel 还是那些 kernel | hardly: they are the same kernels
kernel 没有变；可这么小的矩阵，时间几乎全花在启动上。
The kernels are the same; but with so small a matrix nearly all the time goes into launching them.
2: 2 倍左右 | about twice as fast
方向对了；图里的 kernel 一个接一个，主机完全不插手，省下的比这还多。
The right direction. In a graph the kernels follow one another with no part for the host, which saves more.
7.5: 7 到 8 倍 | seven to eight times as fast
主机启动五个要 81.5 µs；从图里重放，一个 kernel 连做带等两微秒左右。
The host takes 81.5 µs for five launches; out of a graph each takes about two, its own work included.
20: 20 倍以上 | more than twenty times as fast
kernel 本身也要时间，那一份图省不掉。
The kernels take time themselves, and no graph saves that.
""",
    empty=_empty_launch,
    early=_early_saves,
    one_row=_knows_one_row,
    graph=_graph_saves,
)
