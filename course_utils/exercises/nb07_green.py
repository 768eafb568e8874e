"""The exercise of 07 that turns a cell green: rows that begin off the grid, read and written 16 bytes at a time."""

import torch

from ..backend import triton
from ..compiler import Pointer
from .exercise import Budget, Exercise
from .judging import UNDEFINED
from .kernel_probes import PLAIN, UNTOUCHED
from .nb07_launch import agree, launch, scores
from .sayings import Sayings
from .wrong import Wrong

SAYS = Sayings("""
green_kernel
读一遍，写一遍，中间一段全是 16 字节的读写，两头各一次窄的。781 列再也不慢了。
Read once, written once, the body in loads and stores of 16 bytes, the ends in narrow ones. 781 columns are slow no more.

ends unwritten
有的元素没有写：body 两边的也要写。
Some elements were not written: those around the body need it, too.

ends apart
body 和两头各做了一个 softmax：最大值与和都要把两边合起来。
The body and its ends got a softmax each: maximum and sum must take both together.

ends not summed
和里少了两头：除数要把 body 和两头的都加上。
The ends are missing in the sum: add them to those of the body.

body not summed
和里只有两头：除数要把 body 和两头的都加上。
Nothing but the ends is in the sum: add those of the body.

padding
多余的位置按 0 分参加了计算：other 该填 −inf。
Spare places take part with a score of 0: let other be −inf.

tall ends
一行的最大值在 body 外面时错了：最大值要把两头算进去。
Wrong where a row's maximum lies outside its body: the ends count in the maximum.

tall body
一行的最大值在 body 里面时错了：最大值要把 body 算进去。
Wrong where a row's maximum lies inside its body: the body counts in the maximum.

tall
分数在 1000 左右时错了：先减去最大值。
Wrong with scores around 1000: subtract the maximum first.

short
{columns} 列、VECTOR = {vector} 时错了：一行可能整个落在一组里面，没有 body，body 的终点不能在起点之前。
Wrong with {columns} columns and VECTOR = {vector}: a row may lie within one group and have no body; the body must not end before it begins.

sizes
{columns} 列、VECTOR = {vector} 时错了。
Wrong with {columns} columns and VECTOR = {vector}.

moved
结果对，可是 {count} 个元素被{verb}，{most} 个就够：body 和两头不要重叠。
The result is right, but {count} elements were {verb} where {most} would do: body and ends must not overlap.

loads
读
loaded

stores
写
stored
""")


def _green_kernel(kernel):
    def run(x, vector=4):
        (rows, columns), y = x.shape, PLAIN.empty(x.shape, x.dtype)
        block = triton.next_power_of_2(columns)
        traffic, _ = launch(kernel, rows, y, x, columns, VECTOR=vector, BLOCK_SIZE=block)
        return y, torch.softmax(x.float(), 1), traffic

    def refuse(key, **said):
        raise Wrong(*UNDEFINED) if kernel.undefined else SAYS.wrong(key, **said)

    def holds(key, x, vector=4):
        got, want, _ = run(x, vector)
        if not agree(got, want):
            refuse(key, columns=x.shape[1], vector=vector)

    x = scores(4, 13)
    inside = _inside(4, 13, 4)
    got, want, _ = run(x)
    if (got == UNTOUCHED).any():
        refuse("ends unwritten")
    top = torch.exp(x - x.amax(1, keepdim=True))
    spare = torch.exp(-x.amax(1, keepdim=True))
    mistakes = {
        "ends apart": [torch.where(inside, _alone(x, inside), _alone(x, ~inside))],
        "ends not summed": [top / (top * inside).sum(1, keepdim=True)],
        "body not summed": [top / (top * ~inside).sum(1, keepdim=True)],
        "padding": [top / (top.sum(1, keepdim=True) + k * spare) for k in range(1, 24)],
    }
    if not agree(got, want):
        for key, results in mistakes.items():
            if any(agree(got, result) for result in results):
                refuse(key)
        if key_of_rows := [k for k in range(4) if not agree(got[k : k + 1], want[k : k + 1])]:
            padded = all(0.0 < float(got[k].sum()) < 1.0 for k in key_of_rows)
            refuse("padding" if padded else "sizes", columns=13, vector=4)
    holds("tall ends", x + 200.0 * ~inside)
    holds("tall body", x + 200.0 * inside)
    holds("tall", x + 1000)
    holds("padding", x - 30)
    for columns, vector in ((2, 8), (3, 4), (1, 8)):
        holds("short", scores(5, columns), vector)
    for columns, vector in ((16, 4), (33, 8), (100, 4), (129, 8)):
        holds("sizes", scores(5, columns), vector)
    holds("sizes", scores(5, 45).half(), 8)
    _, _, traffic = run(scores(4, 29), 8)
    for name, kind in (("x_ptr", "loads"), ("y_ptr", "stores")):
        if (count := getattr(traffic[name], kind)) > 4 * 29:
            refuse("moved", count=count, most=4 * 29, verb=SAYS[kind])


def _inside(rows: int, columns: int, vector: int) -> torch.Tensor:
    """Which elements lie in the body of their row."""
    first = torch.arange(rows)[:, None] * columns
    place, last = first + torch.arange(columns), first + columns
    return (place >= -(-first // vector) * vector) & (place < last // vector * vector)


def _alone(x, chosen) -> torch.Tensor:
    return torch.nan_to_num(torch.softmax(x.masked_fill(~chosen, -torch.inf), 1))


_BFLOAT16 = Pointer("bfloat16")
_WIDE = Budget((_BFLOAT16, _BFLOAT16, 781), {"VECTOR": 8, "BLOCK_SIZE": 1024, "num_warps": 4}, 255, wide=1)
GREEN = Exercise("green_kernel", _green_kernel, SAYS["green_kernel"], _WIDE)
