"""The questions of 03_masked_row_kernel: what kernels do when something is missing, measured by running them."""

import torch

from ..backend import device, tl, triton
from ..measurements import recorded
from .mutants import passes
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


def _first_error() -> int:
    return next(line.offset for line in recorded("astray", blocking=0) if line.error)


def _caught() -> int:
    torch.manual_seed(0)
    return passes(torch.randn(1823, 781)[:9]).count(False)


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

astray
头一个报错的是 {}。 | The first error comes at {}.
10: 10：刚出张量 | 10: just past the tensor
张量有多长，硬件不知道。这里读到一个 0。
The hardware does not know how long a tensor is. It read a 0 here.
128: 128：那里是别人的张量 | 128: another tensor lies there
这个地址是有效的，读到一个 7。
The address is valid, and it read a 7.
1000000: 1000000：离开头 4 MB | 1000000: 4 MB from the start
这里也有映射，读到一个 0。
This address is mapped as well, and it read a 0.
4000000000: 4000000000：离开头 16 GB | 4000000000: 16 GB from the start
只有没映射的地址，硬件才拦。
Only an address that is not mapped is refused.

usual_test
它抓住了 {} 个。 | It catches {}.
8: 8：每一个都错了 | 8: all of them are wrong
错了，结果才会不同；这个输入用不到大多数的改动。
A mistake shows only where an input meets it, and this input meets few.
5: 5：一大半 | 5: more than half
比这还少：矩阵紧挨着放，分数都在 0 附近。
Fewer: the matrix is packed, and all its scores lie near 0.
2: 2：只有两个 | 2: only two
没有掩码的读和填的 0 改变了总和；别的改动，这个输入碰不到。
The unmasked load and the zeros change the sum; the other changes this input never meets.
0: 0：一个也没有 | 0: none
781 列的块有空着的元素，它们填 0 就会改变总和。
With 781 columns the block has spare elements, and zeros in them change the sum.
""",
    stride=_wrong_stride,
    no_mask=_without_mask,
    astray=_first_error,
    usual_test=_caught,
)
