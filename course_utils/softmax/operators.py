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


# ---- softmax, its logarithm, and their gradients


@_operator("softmax")
def softmax_operator(x: Tensor, log: bool) -> Tensor:
    return launched(x, log)


@_operator("softmax_backward")
def softmax_backward_operator(dy: Tensor, y: Tensor, log: bool) -> Tensor:
    return softmax_backward(dy, y, log)


softmax_operator.register_fake(lambda x, log: _dense_like(x))
softmax_backward_operator.register_fake(lambda dy, y, log: _dense_like(y))


def _keep_result(ctx, inputs, output):
    ctx.log = inputs[1]
    ctx.save_for_backward(output)


def _keep_inputs(ctx, inputs, output):
    *tensors, ctx.log = inputs
    ctx.save_for_backward(*tensors)


def _softmax_gradient(ctx, dy):
    return softmax_backward_operator(dy, *ctx.saved_tensors, ctx.log), None


def _gradient_of_the_gradient(ctx, g):
    """Of dx = y · (dy − Σ y·dy), or dx = dy − eʸ · Σ dy, for dy and for y, in PyTorch's own calls: they can be differentiated again."""
    dy, y = ctx.saved_tensors
    if ctx.log:
        p = torch.exp(y)
        return g - (p * g).sum(-1, keepdim=True), -p * g * dy.sum(-1, keepdim=True), None
    s, t = (y * dy).sum(-1, keepdim=True), (y * g).sum(-1, keepdim=True)
    return y * (g - t), g * (dy - s) - dy * t, None


softmax_operator.register_autograd(_softmax_gradient, setup_context=_keep_result)
softmax_backward_operator.register_autograd(_gradient_of_the_gradient, setup_context=_keep_inputs)


# ---- cross-entropy: the loss of each row; PyTorch's own calls add the rows up


@_operator("losses")
def losses_operator(x: Tensor, target: Tensor, ignore_index: int, smoothing: float) -> tuple[Tensor, Tensor]:
    return entropy.losses(x, target, ignore_index, smoothing)


@_operator("losses_backward")
def losses_backward_operator(
    d: Tensor, x: Tensor, target: Tensor, parts: Tensor, ignore_index: int, smoothing: float
) -> Tensor:
    return entropy.losses_backward(d, x, target, parts, ignore_index, smoothing)


@losses_operator.register_fake
def _(x, target, ignore_index, smoothing):
    kind = torch.promote_types(x.dtype, torch.float32)
    return x.new_empty(x.shape[0], dtype=kind), x.new_empty((2, x.shape[0]), dtype=kind)


losses_backward_operator.register_fake(lambda d, x, *rest: _dense_like(x))


def _keep_scores(ctx, inputs, output):
    x, target, ctx.ignore_index, ctx.smoothing = inputs
    ctx.save_for_backward(x, target, output[1])


def _losses_gradient(ctx, d, _):
    x, target, parts = ctx.saved_tensors
    return losses_backward_operator(d, x, target, parts, ctx.ignore_index, ctx.smoothing), None, None, None


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


def log_softmax(x):
    """Log-softmax over the last dimension, as `torch.log_softmax(x, -1)`; takes what `softmax` takes, and has its gradient."""
    refuse(x, "log_softmax", "torch.log_softmax")
    if torch.compiler.is_compiling() or (x.requires_grad and torch.is_grad_enabled()):
        return softmax_operator(x, True)
    return launched(x, log=True)


def cross_entropy(x, target, *, ignore_index: int = -100, label_smoothing: float = 0.0, reduction: str = "mean"):
    """As `torch.nn.functional.cross_entropy` of a matrix of scores and the number of the right column for each row.

    Computed in float32 (float64 in float64) and returned in the scores' dtype. A target that is no column, and not
    `ignore_index`, makes its loss and its gradient NaN: to raise an error would mean to wait for the GPU.
    """
    refuse(x, "cross_entropy", "torch.nn.functional.cross_entropy")
    _refuse_targets(x, target, label_smoothing, reduction)
    loss, _ = losses_operator(x, target, ignore_index, float(label_smoothing))
    return reduced(loss, target, ignore_index, reduction).to(x.dtype)


def reduced(loss, target, ignore_index: int, reduction: str):
    """One loss for all rows, or all of them."""
    if reduction == "none":
        return loss
    loss = loss.sum()
    return loss / (target != ignore_index).sum() if reduction == "mean" else loss


def _refuse_targets(x, target, label_smoothing, reduction):
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
    if reduction not in ("mean", "sum", "none") or not 0 <= label_smoothing <= 1:
        raise ValueError(
            both(
                f"reduction 只能是 mean、sum 或 none，label_smoothing 在 0 到 1 之间；得到的是 {reduction!r}、{label_smoothing}。",
                f"reduction is mean, sum or none, and label_smoothing lies between 0 and 1; they are {reduction!r} and "
                f"{label_smoothing}.",
            )
        )
