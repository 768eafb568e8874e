"""What a softmax accepts, and the two dimensions that every kernel sees: rows, and the columns of a row."""

import torch
from torch._subclasses.fake_tensor import FakeTensor
from torch.autograd import forward_ad

from ..backend import device as kernel_device
from ..backend import mode
from ..language import both

DTYPES = (torch.float32, torch.bfloat16, torch.float16, torch.float64)


def refuse(x, name: str = "softmax", instead: str = "torch.softmax") -> None:
    """What would give a wrong answer or none, and what to do instead. Never touches `x`."""
    if not isinstance(x, torch.Tensor) or x.is_nested or x.layout != torch.strided or x.dtype not in DTYPES:
        kind = f"{x.dtype}, {x.layout}" if isinstance(x, torch.Tensor) else type(x).__name__
        kind = f"{kind}, nested" if isinstance(x, torch.Tensor) and x.is_nested else kind
        raise TypeError(
            both(
                f"{name} 需要稠密的 torch.Tensor，类型是 float32、bfloat16、float16 或 float64；得到的是 {kind}。",
                f"{name} takes dense torch.Tensors of float32, bfloat16, float16 or float64, not {kind}.",
            )
        )
    if mode == "npu" and x.dtype == torch.float64:
        raise TypeError(both("昇腾的向量核不算 float64。", "Ascend's vector cores have no float64."))
    if x.device.type != kernel_device:
        raise ValueError(
            both(
                f"张量在 {x.device} 上，而这里的 kernel 在 {kernel_device} 上运行（方式：{mode}）。请先 .to({kernel_device!r})。",
                f"A tensor is on {x.device}, but kernels run on {kernel_device} here (mode: {mode}). Move it: "
                f".to({kernel_device!r}).",
            )
        )
    if torch.compiler.is_compiling():
        return  # what is traced has neither memory nor tangents
    if forward_ad.unpack_dual(x).tangent is not None:
        raise RuntimeError(
            both(
                f"x 带着前向模式的切向量，而 {name} 只有反向模式的梯度，切向量会悄悄丢失。请用 {instead}。",
                f"x carries a tangent of forward mode, and {name} has gradients of reverse mode only, so it would be lost "
                f"without a word. Use {instead}.",
            )
        )
    if x.numel() and not address(x):
        raise TypeError(
            both(
                f"张量没有自己的内存（例如在 vmap、jvp 里），kernel 读不到它。请在外面调用 {name}，或用 {instead}。",
                f"A tensor has no memory of its own (as within vmap or jvp), so no kernel can read it. Call {name} outside, or "
                f"use {instead}.",
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
    refuse(x)
    if x.requires_grad and torch.is_grad_enabled():
        raise RuntimeError(
            both(
                "这个教学用的 softmax 不记录梯度，而 x 要求梯度，梯度会悄悄丢失。请用 x.detach()、torch.no_grad()，"
                "或在训练中用 course_utils.softmax.softmax。",
                "This softmax, made for teaching, records no gradient, and x asks for one: it would be lost without a word. Use "
                "x.detach() or torch.no_grad(), or course_utils.softmax.softmax where you train.",
            )
        )
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
