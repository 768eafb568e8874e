"""What a softmax accepts, and the two dimensions that every kernel sees: rows, and the columns of a row."""

import torch

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
    if x.requires_grad and torch.is_grad_enabled():
        raise RuntimeError(
            both(
                "这个 softmax 不记录梯度，而 x.requires_grad 为 True，梯度会悄悄丢失。"
                "请用 x.detach()、torch.no_grad()，或在训练中用 torch.softmax。",
                "This softmax records no gradient and x.requires_grad is True, so it would be lost without a word. "
                "Use x.detach() or torch.no_grad(), or torch.softmax where you train.",
            )
        )
    if x.device.type != kernel_device:
        raise ValueError(
            both(
                f"x 在 {x.device} 上，而这里的内核在 {kernel_device} 上运行（方式：{mode}）。请先 x.to({kernel_device!r})。",
                f"x is on {x.device}, but kernels run on {kernel_device} here (mode: {mode}). Move it: x.to({kernel_device!r}).",
            )
        )


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
