"""The questions of 03_masked_row_kernel: what kernels do when something is missing, measured by running them."""

import torch

from ..backend import device, tl, triton
from .prediction import questions


@triton.jit
def _copy_kernel(y_ptr, x_ptr, y_stride, x_stride, N: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, N)
    tl.store(y_ptr + row * y_stride + columns, tl.load(x_ptr + row * x_stride + columns))


def _wrong_stride() -> tuple[list[float], str]:
    part = torch.arange(18.0, device=device).reshape(3, 6)[:, :4]
    y = torch.zeros(3, 4, device=device)
    _copy_kernel[(3,)](y, part, 4, 4, N=4)
    return y[1].tolist(), _plain(y[1])


def _without_mask() -> tuple[list[float], str]:
    x, y = torch.arange(10.0, device=device), torch.zeros(8, device=device)
    _copy_kernel[(1,)](y, x, 5, 5, N=8)
    return y[5:].tolist(), _plain(y[5:])


def _plain(values) -> str:
    return ", ".join(f"{value:g}" for value in values)


QUESTIONS = questions(
    """
stride
抄到的是 {1}。 | It copies {1}.
[6, 7, 8, 9]: 6, 7, 8, 9：正是 wide[1, :4] | 6, 7, 8, 9: just wide[1, :4]
那要从地址 6 读起；1 × 4 = 4。
For that it would have to start at address 6; 1 × 4 = 4.
[0, 1, 2, 3]: 0, 1, 2, 3：还是第 0 行 | 0, 1, 2, 3: row 0 again
步幅错了，但不是 0：每一行还是往后挪。
The stride is wrong but not 0: every row still moves on.
–: 报错 | an error
地址 4 到 7 都是这个张量的内存，没有谁会拦。
Addresses 4 to 7 all belong to the same memory; nobody objects.
[4, 5, 6, 7]: 4, 5, 6, 7：从地址 4 读起 | 4, 5, 6, 7: it starts at address 4
kernel 只会做乘法：第 1 行从 1 × 4 开始，正好是第 0 行里没切进来的 4 和 5。
The kernel only multiplies: row 1 starts at 1 × 4, at the 4 and 5 that the slice had left out of row 0.

no_mask
读到的是 {1}。 | They read {1}.
[5, 6, 7]: 5, 6, 7：下一行的前三个 | 5, 6, 7: the first three of the next row
地址 5、6、7 上放着的就是它们：显存里，下一行紧跟在后面。
That is what lies at addresses 5, 6 and 7: in memory the next row follows at once.
[0, 0, 0]: 0, 0, 0 | 0, 0, 0
没有谁会替你清零：load 照着地址去取。
Nobody clears them for you: the load goes where the address points.
–: −inf | −inf
要填什么得自己说（other=），而且先得有掩码。
What to fill in must be said (other=), and that takes a mask first.
–: 报错：越界 | an error: out of bounds
对第 0 行来说，地址 5–7 还在张量里，不算越界；最后一行才越界。
For row 0, addresses 5–7 are still inside the tensor; only the last row leaves it.
""",
    stride=_wrong_stride,
    no_mask=_without_mask,
)
