"""The sharded softmaxes as PyTorch operators, like those of `softmax.operators`: a group travels by its name."""

import torch
import torch.distributed as dist
from torch import Tensor

from .. import tiles
from ..inputs import as_rows, refuse
from ..losses import losses_backward
from ..operators import NAMESPACE, _dense_like, _no_second_gradient, _refuse_targets, reduced
from ..split import split
from .across import softmax_across
from .gradient import gradient_of_rows
from .loss import losses_of_rows
from .ranks import ranks_of


def _operator(name):
    return torch.library.custom_op(f"{NAMESPACE}::sharded_{name}", mutates_args=())


def _matrix(x):
    """As `as_rows`, for a rank with no columns too."""
    return as_rows(x) if x.shape[-1] else x.reshape(x.shape[:-1].numel(), 0)


def _meeting(name: str, x, group: str):
    """The group's ranks, and what they agree on before they make this call."""
    ranks = ranks_of(group, x.device)
    rows = x.shape[:-1].numel()
    return ranks, ranks.agree(f"{name}, {rows} rows, {x.dtype}", x.shape[-1])


@_operator("softmax")
def softmax_operator(x: Tensor, log: bool, group: str) -> Tensor:
    ranks, agreed = _meeting("log_softmax" if log else "softmax", x, group)
    y, rows = _dense_like(x), _matrix(x)
    if len(rows) and not softmax_across(y.view(rows.shape), rows, ranks, agreed, log):
        with tiles.on(x):
            split(y.view(rows.shape), rows, log, ranks, max(agreed.widths))
    return y


@_operator("softmax_backward")
def softmax_backward_operator(dy: Tensor, y: Tensor, log: bool, group: str) -> Tensor:
    ranks, agreed = _meeting("log_softmax_backward" if log else "softmax_backward", y, group)
    dx, rows = _dense_like(y), _matrix(y)
    if len(rows):
        gradient_of_rows(dx.view(rows.shape), _matrix(dy), rows, ranks, agreed, log)
    return dx


@_operator("losses")
def losses_operator(
    x: Tensor, target: Tensor, ignore_index: int, smoothing: float, group: str
) -> tuple[Tensor, Tensor]:
    ranks, agreed = _meeting(f"cross_entropy ({ignore_index}, {smoothing})", x, group)
    return losses_of_rows(x, target, ranks, agreed, ignore_index, smoothing)


@_operator("losses_backward")
def losses_backward_operator(
    d: Tensor, x: Tensor, target: Tensor, parts: Tensor, ignore_index: int, smoothing: float, group: str
) -> Tensor:
    _, agreed = _meeting(f"cross_entropy ({ignore_index}, {smoothing})", x, group)
    return losses_backward(d, x, target, parts, ignore_index, smoothing, shard=(agreed.first, agreed.columns))


softmax_operator.register_fake(lambda x, log, group: _dense_like(x))
softmax_backward_operator.register_fake(lambda dy, y, log, group: _dense_like(y))
losses_backward_operator.register_fake(lambda d, x, *rest: _dense_like(x))


@losses_operator.register_fake
def _(x, target, ignore_index, smoothing, group):
    kind = torch.promote_types(x.dtype, torch.float32)
    return x.new_empty(x.shape[0], dtype=kind), x.new_empty((2, x.shape[0]), dtype=kind)


def _keep_result(ctx, inputs, output):
    ctx.log, ctx.group = inputs[1:]
    ctx.save_for_backward(output)


def _softmax_gradient(ctx, dy):
    return softmax_backward_operator(dy, *ctx.saved_tensors, ctx.log, ctx.group), None, None


def _keep_scores(ctx, inputs, output):
    x, target, *ctx.rest = inputs
    ctx.save_for_backward(x, target, output[1])


def _losses_gradient(ctx, d, _):
    return losses_backward_operator(d, *ctx.saved_tensors, *ctx.rest), None, None, None, None


softmax_operator.register_autograd(_softmax_gradient, setup_context=_keep_result)
losses_operator.register_autograd(_losses_gradient, setup_context=_keep_scores)
for each in (softmax_backward_operator, losses_backward_operator):
    each.register_autograd(_no_second_gradient)


def softmax(x, *, group=None):
    """Softmax of rows whose columns are split over the ranks of `group` (the default group); `x` holds this rank's."""
    refuse(x, "softmax", "torch.softmax")
    return softmax_operator(x, False, (group or dist.group.WORLD).group_name)


def log_softmax(x, *, group=None):
    """Log-softmax, likewise."""
    refuse(x, "log_softmax", "torch.log_softmax")
    return softmax_operator(x, True, (group or dist.group.WORLD).group_name)


def cross_entropy(
    x, target, *, group=None, ignore_index: int = -100, label_smoothing: float = 0.0, reduction: str = "mean"
):
    """`softmax.cross_entropy` of scores whose columns are split over the ranks; `target` counts columns of the whole row.

    Every rank gives the same targets and gets the same loss; its gradient is that of its own scores.
    """
    refuse(x, "cross_entropy", "torch.nn.functional.cross_entropy")
    _refuse_targets(x, target, label_smoothing, reduction)
    group = (group or dist.group.WORLD).group_name
    loss, _ = losses_operator(x, target, ignore_index, float(label_smoothing), group)
    return reduced(loss, target, ignore_index, reduction).to(x.dtype)
