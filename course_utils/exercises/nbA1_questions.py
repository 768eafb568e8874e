"""What A1_amd_and_ascend lets the learner predict, and how each result is found."""

import torch

from ..language import Text
from .prediction import Option, Question


def _fits(device) -> int:
    from ..compiler import compile_for
    from ..occupancy import of
    from ..softmax import row_kernel

    dtype = torch.float32
    return of(compile_for(row_kernel, device, dtype, dtype, 1024, 1024, 1024, BLOCK_SIZE=1024, num_warps=8)).programs


def _mask_is_a_length() -> bool:
    from ..timing.recorded import FOLDER

    text = (FOLDER / "ascend910b-row_kernel.mlir").read_text()
    return "memref.copy" in text and "arith.minsi" in text and "tt.load" not in text


QUESTIONS = {
    "waves": Question(
        measure=lambda: _fits("MI300X"),
        options=lambda programs: [
            Option(Text("8 个，与 H200 一样", "8, as on an H200"), Text("那要 64 个 wave；一个 CU 最多驻留 32 个。", "That would take 64 waves; at most 32 are resident on a CU.")),
            Option(Text("4 个", "4"), Text("一个 wave 有 64 个线程，8 个 wave 就是 512 个；一个 CU 最多驻留 32 个 wave，32 ÷ 8 = 4。", "A wave has 64 threads, so 8 waves are 512. At most 32 waves are resident on a CU: 32 ÷ 8 = 4.")),
            Option(Text("16 个：寄存器更多", "16: it has more registers"), Text("寄存器确实够用，可先到头的是 wave 数。", "It does have the registers, but the number of waves is the limit that comes first.")),
        ],
        right=lambda programs: (8, 4, 16).index(programs),
        result=lambda programs: Text(f"编译出来一算：{programs} 个。", f"Compiled and counted: {programs}."),
    ),
    "mask": Question(
        measure=_mask_is_a_length,
        options=lambda length: [
            Option(Text("每个元素一个真假值，同 GPU 一样", "a truth value for each element, as on a GPU"), Text("GPU 上每个 lane 自己决定读不读；这里搬数据的不是 lane。", "On a GPU each lane decides whether to load. Here it is not lanes that move data.")),
            Option(Text("不见了：只拷贝前 n_cols 个", "gone: only the first n_cols are copied"), Text("编译器看出掩码是“前几个”，于是把它变成了拷贝的长度。", "The compiler sees that the mask means “the first so many”, and makes it the length of the copy.")),
            Option(Text("不见了：整块都读，越界也读", "gone: the whole block is read, past the end too"), Text("那会读到别人的数据。", "That would read somebody else's data.")),
        ],
        right=lambda length: 1 if length else 0,
        result=lambda length: Text("下一格就是翻译出来的代码。", "The next cell shows the lowered code."),
    ),
}  # fmt: skip
