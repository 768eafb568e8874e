"""The last layer of a language model and its loss, without the matrix of scores between them.

The scores of a few rows at a time are multiplied out, give their loss, turn into their own gradient where they lie, and are
multiplied on at once: into the gradient of these rows of x, and into that of the weight, which is summed up. So the gradients are
there before anybody asks: a loss is one number, and what arrives for it later is one factor.
"""

import torch

from ..language import both
from . import losses as entropy

ROWS = 4096  # of x at a time: enough for fast matrix products, and so few that the sum for the weight takes more memory


class _LinearLoss(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, target, ignore_index, rows):
        with_gradients = any(ctx.needs_input_grad)
        loss, dx, dw = loss_and_gradients(x, weight, target, ignore_index, rows, with_gradients)
        share = 1 / (target != ignore_index).sum().to(loss.dtype)
        if with_gradients:
            ctx.save_for_backward(_times(dx, share, x.dtype), _times(dw, share, weight.dtype))
        return loss * share

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, d):
        return *(each * d for each in ctx.saved_tensors), None, None, None


def _times(x, factor, dtype):
    """The product in this type, with no other in between."""
    return torch.mul(x, factor, out=torch.empty_like(x, dtype=dtype))


def loss_and_gradients(x, weight, target, ignore_index: int = -100, rows: int = ROWS, with_gradients: bool = True):
    """The sum of the losses, and its gradients for x and for the weight; that of the weight in float32 at least."""
    kind = torch.promote_types(x.dtype, torch.float32)
    loss = torch.zeros((), dtype=kind, device=x.device)
    one = torch.ones((), dtype=kind, device=x.device)
    dx, dw = (torch.empty_like(x), torch.zeros_like(weight, dtype=kind)) if with_gradients else (None, None)
    for first in range(0, len(x), rows):
        here = slice(first, first + rows)
        scores = x[here] @ weight.T
        each, parts = entropy.losses(scores, target[here], ignore_index, 0.0)
        loss += each.sum()
        if with_gradients:
            entropy.losses_backward(one.expand(len(each)), scores, target[here], parts, ignore_index, 0.0, out=scores)
            torch.mm(scores, weight, out=dx[here])
            _add_product(dw, scores.T, x[here])
        del scores  # or the next chunk's would come to lie beside them
    return loss, dx, dw


def _add_product(sums, a, b) -> None:
    """sums += a @ b; products of 16 bits are summed in float32, where `sums` are."""
    if sums.dtype == a.dtype:
        sums.addmm_(a, b)
    elif a.is_cuda:
        torch.addmm(sums, a, b, out_dtype=sums.dtype, out=sums)
    else:
        sums.addmm_(a.to(sums.dtype), b.to(sums.dtype))


def linear_loss(x, weight, target, *, ignore_index: int = -100, rows: int = ROWS):
    """As `cross_entropy(linear(x, weight), target, ignore_index=…)`, with so many rows of scores in memory at a time."""
    _refuse(x, weight, target)
    return _LinearLoss.apply(x.contiguous(), weight, target, ignore_index, rows).to(x.dtype)


def _refuse(x, weight, target) -> None:
    fits = x.dim() == weight.dim() == 2 and x.shape[1] == weight.shape[1] and target.shape == x.shape[:1]
    if not fits or x.dtype != weight.dtype or target.dtype != torch.int64:
        got = ", ".join(f"{tuple(each.shape)} {each.dtype}" for each in (x, weight, target))
        raise ValueError(
            both(
                f"linear_loss 需要 x (M, H)、同类型的权重 (N, H) 和 M 个 int64 目标；得到的是 {got}。",
                f"linear_loss takes x (M, H), a weight (N, H) of the same type, and M int64 targets; these are {got}.",
            )
        )
