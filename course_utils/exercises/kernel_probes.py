"""What graders of kernels share: a launch into a guarded output, and plain words for elements that stray."""

from dataclasses import dataclass

import torch

from ..backend import triton
from ..traffic.view import ranges
from .launching import launched
from .sayings import Sayings

UNTOUCHED = -4096.0  # what an output holds before the launch; every type has it exactly
LAUNCH_SAID = Sayings("""
of other rows
张量不连续时，有地址落到了它的元素之外：换行要用它自己的步幅，不是列数{at}。
With a tensor that is not contiguous, addresses fall outside its elements: step from row to row by its own stride, not by n_cols {at}.

load
load 越界了：少了 mask，或者 mask 不对{at}。
The load leaves its tensor: its mask is missing, or wrong {at}.

store
store 越界了：写回时也要 mask{at}。
The store leaves its tensor: writing back needs the mask too {at}.

at
（{columns} 列，program {program}，块里第 {elements} 个元素，{tensor} 的 {where}；第 {line} 行：{source}）
({columns} columns, program {program}, elements {elements} of its block, places {where} of {tensor}; line {line}: {source})

astray
{kind} 越界了：{hint}（第 {line} 行：{source}；{at}）。
{kind} leaves its tensor: {hint} (line {line}: {source}; {at}).

nothing written
输出里什么也没有写。
Nothing was written to the output.
""")


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
    at = LAUNCH_SAID.say(
        "at",
        columns=x.shape[1],
        program=astray.program[0],
        elements=ranges(astray.lanes),
        tensor=astray.tensor,
        where=ranges(astray.offsets),
        line=astray.line,
        source=astray.source,
    )
    packed = x.is_contiguous() and y.is_contiguous()
    raise LAUNCH_SAID.wrong(("load" if astray.kind == "load" else "store") if packed else "of other rows", at=at)


# ---- kernels of any signature


def refuse_unwritten(output: torch.Tensor) -> None:
    if (output == UNTOUCHED).all():
        raise LAUNCH_SAID.wrong("nothing written")
