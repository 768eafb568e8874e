"""What graders of kernels share: a launch into a guarded output, and plain words for elements that stray."""

from dataclasses import dataclass

import torch

from ..backend import triton
from ..traffic.view import ranges
from .launching import launched
from .wrong import Wrong

UNTOUCHED = -4096.0  # what an output holds before the launch; every type has it exactly


@dataclass(frozen=True)
class Layout:
    """How the output lies in memory: with elements behind each row that are not its own, or transposed."""

    spare: int = 0
    turned: bool = False

    def empty(self, shape, dtype) -> torch.Tensor:
        rows, columns = shape
        if self.turned:
            return torch.full((columns, rows), UNTOUCHED, dtype=dtype).T
        return torch.full((rows, columns + self.spare), UNTOUCHED, dtype=dtype)[:, :columns]


PLAIN = Layout()


def launch(kernel, x, output=PLAIN, *, both_strides=False) -> torch.Tensor:
    """What a row kernel makes of `x`, one program a row; raises `Wrong` if it leaves its tensor."""
    (rows, columns), y = x.shape, output.empty(x.shape, x.dtype)
    strides = (*y.stride(), *x.stride()) if both_strides else (y.stride(0), x.stride(0))
    astray, _ = launched(kernel, (rows,), y, x, *strides, columns, BLOCK_SIZE=triton.next_power_of_2(columns))
    for one in astray:
        _refuse(one, x, y)
    if (y == UNTOUCHED).all():
        raise Wrong("输出里什么也没有写。", "Nothing was written to the output.")
    return y


def _refuse(astray, x, y):
    elements, where = ranges(astray.lanes), ranges(astray.offsets)
    width = f"{x.shape[1]} 列", f"{x.shape[1]} columns"
    at = (
        f"（{width[0]}，program {astray.program[0]}，块里第 {elements} 个元素，{astray.tensor} 的 {where}；第 {astray.line} 行：{astray.source}）",
        f" ({width[1]}, program {astray.program[0]}, elements {elements} of its block, places {where} of {astray.tensor}; line {astray.line}: {astray.source})",
    )
    strided = not (x.is_contiguous() and y.is_contiguous())
    if strided:
        zh = "张量不连续时，有地址落到了它的元素之外：换行要用它自己的步幅，不是列数"
        en = "With a tensor that is not contiguous, addresses fall outside its elements: step from row to row by its own stride, not by n_cols"
    elif astray.kind == "load":
        zh, en = "load 越界了：少了 mask，或者 mask 不对", "The load leaves its tensor: its mask is missing, or wrong"
    else:
        zh, en = "store 越界了：写回时也要 mask", "The store leaves its tensor: writing back needs the mask too"
    raise Wrong(f"{zh}{at[0]}。", f"{en}{at[1]}.")
