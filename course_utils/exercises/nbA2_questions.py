"""What A2_compiled_kernels_and_launches lets the learner predict, and how each result is found."""

import torch

from ..language import Text
from .prediction import Option, Question


def _knows_one_row() -> bool:
    """Whether the kernel compiled for one row still asks how many rows there are."""
    from ..compiler import compile_for
    from ..softmax import grid_stride_kernel

    dtype = torch.float32
    compiled = compile_for(
        grid_stride_kernel, "H200", dtype, dtype, 1024, 1024, 1, 1024, BLOCK_SIZE=1024, STAGES=2, num_warps=8
    )  # fmt: skip
    return "n_rows" not in compiled.parameters


def _graph_saves() -> float:
    """How many times as long five recorded calls of naive take one by one as they do out of a CUDA graph."""
    from ..measurements import recorded

    times = {call.way: call.median_us for call in recorded("calls", what="naive")}
    return times["queued"] / times["graph"]


QUESTIONS = {
    "one_row": Question(
        measure=_knows_one_row,
        options=lambda gone: [
            Option(Text("100 行都对，只是慢", "100 right rows, only slower"), Text("那得是 kernel 里还有“行数”这个变量；去看它的参数表。", "For that the kernel would have to know of a number of rows still; look at its parameters.")),
            Option(Text("只有第 0 行是对的，也不报错", "row 0 is right, the others are not, and no error"), Text("等于 1 的整数被当成常数编译了进去，循环到 1 为止；其余 99 行从没有人写过。", "An integer that equals 1 is compiled in as a constant, so the loop ends at 1, and nobody ever writes the other 99 rows.")),
            Option(Text("报错", "an error"), Text("但愿如此。宽度变了会报“地址未对齐”；行数变了，一声不响。", "If only. A changed width says “misaligned address”; a changed number of rows says nothing at all.")),
        ],
        right=lambda gone: 1 if gone else 0,
        result=lambda gone: Text("编译出来的 kernel 里没有 `n_rows` 这个参数了。在 H200 上试过：1 行对，99 行原封未动。", "The compiled kernel has no parameter `n_rows` any more. Tried on an H200: 1 row right, 99 untouched."),
    ),
    "graph": Question(
        measure=_graph_saves,
        options=lambda times: [
            Option(Text("几乎没变：kernel 还是那些 kernel", "hardly: they are the same kernels"), Text("kernel 没有变；可这么小的矩阵，时间几乎全花在启动上。", "The kernels are the same; but with so small a matrix nearly all the time goes into launching them.")),
            Option(Text("2 倍左右", "about twice as fast"), Text("方向对了；图里的 kernel 一个接一个，主机完全不插手，省下的比这还多。", "The right direction. In a graph the kernels follow one another with no part for the host, which saves more.")),
            Option(Text("4 到 5 倍", "four to five times as fast"), Text("主机启动一个 kernel 要好几微秒；从图里重放，一个 kernel 连做带等两微秒左右。", "A launch from the host takes several microseconds; one out of a graph about two, its own work included.")),
            Option(Text("20 倍以上", "more than twenty times as fast"), Text("kernel 本身也要时间，那一份图省不掉。", "The kernels take time themselves, and no graph saves that.")),
        ],
        right=lambda times: 0 if times < 1.3 else 1 if times < 3 else 2 if times < 12 else 3,
        result=lambda times: Text(f"录下的是 {times:.1f} 倍。", f"{times:.1f} times was recorded."),
    ),
}  # fmt: skip
