"""What a softmax accepts, and the two dimensions that every kernel sees: rows, and the columns of a row."""

import torch
from torch._subclasses.fake_tensor import FakeTensor
from torch.autograd import forward_ad

from ..backend import device as kernel_device
from ..backend import mode
from ..language import both

DTYPES = (torch.float32, torch.bfloat16, torch.float16, torch.float64)


def check(x) -> None:
    """Refuse what would give a wrong answer or none, and say what to do instead. Never touches `x`."""
    if not isinstance(x, torch.Tensor):
        raise TypeError(
            both(
                f"softmax 需要 torch.Tensor，得到的是 {type(x).__name__}。请用 torch.as_tensor(...) 转换。",
                f"softmax takes a torch.Tensor, not {type(x).__name__}. Convert it with torch.as_tensor(...).",
            )
        )
    if x.is_nested:
        raise TypeError(
            both(
                "softmax 需要形状规整的张量，得到的是嵌套张量。请先调用 x.to_padded_tensor(-float('inf'))。",
                "softmax takes a tensor of one shape, not a nested one. Call x.to_padded_tensor(-float('inf')) first.",
            )
        )
    if x.layout != torch.strided:
        raise TypeError(
            both(
                f"softmax 需要稠密张量，得到的布局是 {x.layout}。请先调用 x.to_dense()。",
                f"softmax takes a dense tensor, not one of layout {x.layout}. Call x.to_dense() first.",
            )
        )
    if x.dtype not in DTYPES:
        raise TypeError(
            both(
                f"softmax 支持 float32、bfloat16、float16 与 float64，得到的是 {x.dtype}。请先转换，例如 x.float()。",
                f"softmax takes float32, bfloat16, float16 or float64, not {x.dtype}. Convert it first, say with x.float().",
            )
        )
    if mode == "npu" and x.dtype == torch.float64:
        raise TypeError(
            both(
                "昇腾的向量核不算 float64。请先转换，例如 x.float()。",
                "Ascend's vector cores have no float64. Convert it first, say with x.float().",
            )
        )
    if (x.requires_grad and torch.is_grad_enabled()) or forward_ad.unpack_dual(x).tangent is not None:
        raise RuntimeError(
            both(
                "这个 softmax 不记录梯度，而 x 要求梯度（requires_grad，或带着前向模式的切向量），梯度会悄悄丢失。"
                "请用 x.detach()、torch.no_grad()，或在训练中用 course_utils.softmax.softmax。",
                "This softmax records no gradient and x asks for one (requires_grad, or a tangent of forward mode), so it would be "
                "lost without a word. Use x.detach() or torch.no_grad(), or course_utils.softmax.softmax where you train.",
            )
        )
    if x.device.type != kernel_device:
        raise ValueError(
            both(
                f"x 在 {x.device} 上，而这里的 kernel 在 {kernel_device} 上运行（方式：{mode}）。请先 x.to({kernel_device!r})。",
                f"x is on {x.device}, but kernels run on {kernel_device} here (mode: {mode}). Move it: x.to({kernel_device!r}).",
            )
        )
    if x.numel() and not address(x):
        raise TypeError(
            both(
                "x 没有自己的内存（例如在 vmap、jvp 里，或是 FakeTensor），kernel 读不到它。请在外面调用 softmax，或用 torch.softmax。",
                "x has no memory of its own (as within vmap or jvp, or a FakeTensor), so no kernel can read it. Call softmax "
                "outside, or use torch.softmax.",
            )
        )


def address(x) -> int:
    """Where the tensor begins in memory; 0 for one that is not in memory."""
    if isinstance(x, FakeTensor):
        return 0
    try:
        return x.data_ptr()
    except RuntimeError:
        return 0


def as_matrix(x):
    """`x` as the kernels taught on the way take it: a matrix whose columns lie side by side, to be computed in float32.

    Refuses everything else: they would give a wrong answer without a word. The finished `softmax` takes it all.
    """
    check(x)
    if x.dim() != 2 or not x.shape[1] or x.dtype == torch.float64:
        raise ValueError(
            both(
                f"这个教学用的 softmax 只做矩阵（至少一列），用 float32 计算；得到的是 {x.dtype}，形状 {tuple(x.shape)}。"
                "其余的请用 course_utils.softmax.softmax。",
                f"This softmax, made for teaching, takes a matrix of at least one column and computes in float32; it was given "
                f"{x.dtype}, shape {tuple(x.shape)}. For the rest there is course_utils.softmax.softmax.",
            )
        )
    return as_rows(x)


def as_rows(x):
    """`x` as a matrix whose last stride is 1, without a copy where one row stride can say it.

    Where none can (columns with a stride of their own, rows that no single stride reaches), the rows are copied together
    first. That reads and writes the whole tensor once more: twice the traffic of a softmax. torch.softmax does the same.
    """
    x = x.resolve_neg()
    columns = x.shape[-1] if x.dim() else 1
    if x.dim() == 2 and (x.stride(1) == 1 or columns == 1):
        return x
    if columns == 1 or (x.dim() and x.stride(-1) == 1):
        try:
            return x.view(-1, columns)
        except RuntimeError:  # the leading dimensions are not evenly spaced in memory
            pass
    return x.contiguous().view(-1, columns)
