"""The softmaxes as PyTorch operators: autograd records them, `torch.compile` keeps them whole, FakeTensors know their shapes.

`softmax` itself takes this way only where a gradient is asked for, or while `torch.compile` traces; else it launches directly.
"""

import torch
from torch import Tensor

from ..backend import mode
from ..language import both
from . import losses as entropy
from .backward import softmax_backward
from .finished import launched
from .inputs import refuse

NAMESPACE = "softmax_course"


def _operator(name):
    return torch.library.custom_op(f"{NAMESPACE}::{name}", mutates_args=())


def _dense_like(x):
    return torch.empty(x.shape, dtype=x.dtype, device=x.device)


# ---- softmax and its gradient


@_operator("softmax")
def softmax_operator(x: Tensor) -> Tensor:
    return launched(x)


@_operator("softmax_backward")
def softmax_backward_operator(dy: Tensor, y: Tensor) -> Tensor:
    return softmax_backward(dy, y)


softmax_operator.register_fake(_dense_like)
softmax_backward_operator.register_fake(lambda dy, y: _dense_like(y))


def _keep_result(ctx, inputs, output):
    ctx.save_for_backward(output)


def _keep_inputs(ctx, inputs, output):
    ctx.save_for_backward(*inputs)


def _softmax_gradient(ctx, dy):
    return softmax_backward_operator(dy, *ctx.saved_tensors)


def _gradient_of_the_gradient(ctx, g):
    """Of dx = y · (dy − Σ y·dy), for dy and for y, in PyTorch's own calls: they can be differentiated again."""
    dy, y = ctx.saved_tensors
    s, t = (y * dy).sum(-1, keepdim=True), (y * g).sum(-1, keepdim=True)
    return y * (g - t), g * (dy - s) - dy * t


softmax_operator.register_autograd(_softmax_gradient, setup_context=_keep_result)
softmax_backward_operator.register_autograd(_gradient_of_the_gradient, setup_context=_keep_inputs)


# ---- cross-entropy: the loss of each row; PyTorch's own calls add the rows up


@_operator("losses")
def losses_operator(x: Tensor, target: Tensor, ignore_index: int) -> tuple[Tensor, Tensor]:
    return entropy.losses(x, target, ignore_index)


@_operator("losses_backward")
def losses_backward_operator(d: Tensor, x: Tensor, target: Tensor, parts: Tensor, ignore_index: int) -> Tensor:
    return entropy.losses_backward(d, x, target, parts, ignore_index)


@losses_operator.register_fake
def _(x, target, ignore_index):
    kind = torch.promote_types(x.dtype, torch.float32)
    return x.new_empty(x.shape[0], dtype=kind), x.new_empty((2, x.shape[0]), dtype=kind)


losses_backward_operator.register_fake(lambda d, x, *rest: _dense_like(x))


def _keep_scores(ctx, inputs, output):
    x, target, ctx.ignore_index = inputs
    ctx.save_for_backward(x, target, output[1])


def _losses_gradient(ctx, d, _):
    x, target, parts = ctx.saved_tensors
    return losses_backward_operator(d, x, target, parts, ctx.ignore_index), None, None


def _no_second_gradient(ctx, g):
    raise RuntimeError(
        both(
            "这个 cross_entropy 的梯度不能再求一次梯度。请用 torch.nn.functional.cross_entropy。",
            "The gradient of this cross_entropy cannot be differentiated again. Use torch.nn.functional.cross_entropy.",
        )
    )


losses_operator.register_autograd(_losses_gradient, setup_context=_keep_scores)
losses_backward_operator.register_autograd(_no_second_gradient)


# ---- what is called


def cross_entropy(x, target, *, ignore_index: int = -100, reduction: str = "mean"):
    """As `torch.nn.functional.cross_entropy` of a matrix of scores and the number of the right column for each row.

    Computed in float32 (float64 in float64) and returned in the scores' dtype. A target that is no column, and not
    `ignore_index`, makes its loss and its gradient NaN: to raise an error would mean to wait for the GPU.
    """
    refuse(x, "cross_entropy", "torch.nn.functional.cross_entropy")
    _refuse_targets(x, target, reduction)
    loss, _ = losses_operator(x, target, ignore_index)
    return reduced(loss, target, ignore_index, reduction).to(x.dtype)


def reduced(loss, target, ignore_index: int, reduction: str):
    """One loss for all rows, or all of them."""
    if reduction == "none":
        return loss
    loss = loss.sum()
    return loss / (target != ignore_index).sum() if reduction == "mean" else loss


def _refuse_targets(x, target, reduction):
    if mode == "npu":
        raise NotImplementedError(
            both(
                "cross_entropy 的 kernel 还不能为昇腾编译。请用 torch.nn.functional.cross_entropy。",
                "The kernels of cross_entropy do not compile for Ascend yet. Use torch.nn.functional.cross_entropy.",
            )
        )
    fits = isinstance(target, Tensor) and x.dim() == 2 and target.shape == x.shape[:1] and target.device == x.device
    if not fits or target.dtype != torch.int64:
        got = f"{tuple(target.shape)} {target.dtype}" if isinstance(target, Tensor) else type(target).__name__
        raise ValueError(
            both(
                f"cross_entropy 需要形状 (M, N) 的分数和同一设备上 M 个 int64 目标；得到的是 {tuple(x.shape)} 与 {got}。"
                "更多的维先展平：x.view(-1, N)，target.view(-1)。",
                f"cross_entropy takes scores of shape (M, N) and M int64 targets on the same device, not {tuple(x.shape)} and "
                f"{got}. Flatten more dimensions first: x.view(-1, N), target.view(-1).",
            )
        )
    if reduction not in ("mean", "sum", "none"):
        raise ValueError(
            both(
                f"reduction 只能是 mean、sum 或 none，不是 {reduction!r}。",
                f"reduction is mean, sum or none, not {reduction!r}.",
            )
        )
