"""What graders of kernels share: a launch into a guarded output, and plain words for elements that stray."""

from dataclasses import dataclass

import torch

from ..backend import triton
from ..traffic.kernels import LaunchTraffic
from ..traffic.view import ranges
from .launching import launched
from .probes import a_, close
from .sayings import counted as how_many
from .wrong import Wrong

UNTOUCHED = -4096.0  # what an output holds before the launch; every type has it exactly
FIRST_FACTOR = (
    "第一块就得到 NaN，这时 m 还是 −inf。看看系数：它是 e^(旧 m − 新 m)，反过来就成了 e^(+∞)。",
    "NaN in the first block already, where m is still −inf. See to the factor: it is e^(old m − new m); the other way round it would "
    "be e^(+∞).",
)


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
    refuse_unwritten(y)
    return y


def _refuse(astray, x, y):
    elements, where = ranges(astray.lanes), ranges(astray.offsets)
    at = (
        f"（{x.shape[1]} 列，program {astray.program[0]}，块里第 {elements} 个元素，{astray.tensor} 的 {where}；第 {astray.line} 行：{astray.source}）",
        f" ({how_many(x.shape[1], 'column')}, program {astray.program[0]}, elements {elements} of its block, places {where} of "
        f"{astray.tensor}; line {astray.line}: {astray.source})",
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


# ---- kernels of any signature


def refuse_strays(traffic: LaunchTraffic, zh: str, en: str) -> None:
    """Raises `Wrong` if a lane left its tensor: where that was, and what it may come from (in both languages)."""
    for one in traffic.astray:
        at = f"{one.tensor}[{ranges(one.offsets)}]"
        raise Wrong(
            f"{one.kind} 越界了：{zh}（第 {one.line} 行：{one.source}；{at}）。",
            f"{a_(one.kind).capitalize()} leaves its tensor: {en} (line {one.line}: {one.source}; {at}).",
        )


def refuse_unwritten(output: torch.Tensor) -> None:
    if (output == UNTOUCHED).all():
        raise Wrong("输出里什么也没有写。", "Nothing was written to the output.")


def raise_first(got: torch.Tensor, mistakes, close=close) -> None:
    """Raises the mistake whose result this is: each is a result and what to say of it in both languages."""
    for result, zh, en in mistakes:
        if close(got, result):
            raise Wrong(zh, en)
