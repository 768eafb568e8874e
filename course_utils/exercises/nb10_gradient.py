"""The grader of 10 for the gradient of the loss, with the loss and in place of the scores."""

import functools

import torch

from .kernel_probes import UNTOUCHED
from .nb10_launch import launch
from .nb10_loss import loss_mistakes, losses, near
from .nb10_loss_says import GRADIENT, LOSS
from .nb10_says import SAYS
from .probes import close
from .row_probes import among
from .trials import Trial, noise, within

TABLES = (GRADIENT, SAYS, LOSS)


def _score_gradient(x, target, scale=0.5):
    p = torch.softmax(x.double(), 1)
    p[torch.arange(len(x)), target] -= 1
    return (p * scale).float()


def _score_mistakes(x, target) -> list:
    """What a kernel for scale·(p − [target]) gives with one thing wrong; `scale` is 0.5, and there are 8 columns."""
    p, hot = torch.softmax(x, 1), torch.nn.functional.one_hot(target, 8).float()
    lse = torch.logsumexp(x, 1, keepdim=True)
    return [
        ("1 not subtracted", 0.5 * p),
        ("no scale", p - hot),
        ("scale of p alone", 0.5 * p - hot),
        ("1 added", 0.5 * (p + hot)),
        ("sign", 0.5 * (hot - p)),
        ("1 everywhere", 0.5 * (p - 1)),
        ("logarithms", 0.5 * (x - lse - hot)),
        ("no lse", 0.5 * (torch.exp(x) - hot)),
        ("target of row 0", 0.5 * (p - hot[0])),
        ("lse too late", 0.5 * (torch.exp(x) - lse - hot)),
        ("lse of row 0", 0.5 * (torch.exp(x - lse[0]) - hot)),
        ("row for target", 0.5 * (p - torch.eye(8)[: len(x)])),
    ]


def in_place_gradient_kernel(kernel):
    @functools.cache  # one launch gives both results
    def run(x, target, scale=0.5, spare=0, block=8):
        held, loss = among(x, spare), torch.full((len(x),), UNTOUCHED)
        arguments = (loss, held, target, scale, held.stride(0), x.shape[1])
        _, moved = launch(kernel, held, *arguments, block=block, also=loss)
        return held, loss, moved

    def run_for_loss(*inputs, **how):
        return run(*inputs, **how)[1:]

    trial = Trial(run, _score_gradient, TABLES)
    loss_trial = Trial(run_for_loss, lambda x, target, *_: losses(x, target), (LOSS, GRADIENT, SAYS))
    _both_in_one_block(trial, loss_trial, noise(4, 8), torch.tensor([3, 0, 7, 2]))
    rising = torch.arange(16.0).repeat(3, 1) / 4
    for scores in (noise(3, 16), rising, rising.flip(1) + 1000, rising * 100 - 500):
        _both_in_four_blocks(trial, loss_trial, scores, torch.tensor([1, 6, 15]))
    for columns, block in ((1, 4), (13, 4), (100, 32)):
        x, target = noise(3, columns) * 3, torch.arange(3) * 7 % columns
        trial.holds("sizes", x, target, 0.25, block=block)
        loss_trial.holds("sizes", x, target, 0.25, block=block, agree=near(x))
    trial.holds("gaps", x, target, spare=4, block=64)
    loss_trial.holds("gaps", x, target, spare=4, block=64, agree=near(x))
    _subtracted_before_rounding(trial)
    *_, moved = run(x, target, 0.25, block=32)
    loads, stores, most = moved.loads("x_ptr"), moved.stores("x_ptr"), x.numel()
    if loads > 2 * most + len(x) or stores > most:
        raise GRADIENT.wrong("traffic", loads=loads / most, stores=stores / most)


def _both_in_one_block(trial: Trial, loss_trial: Trial, x, target) -> None:
    got, want = trial(x, target), trial.right(x, target)
    unsummed = torch.exp(x - x.amax(1, keepdim=True)) - torch.nn.functional.one_hot(target, 8)
    trial.known(got, [*_score_mistakes(x, target), ("not divided", 0.5 * unsummed)])
    if got.isnan().any():
        raise trial.wrong("first factor")
    if not close(got, want):
        raise trial.wrong("in place")
    got, loss, rows = loss_trial(x, target), losses(x, target), torch.arange(len(x))
    if (got == UNTOUCHED).all():
        raise loss_trial.wrong("no loss")
    mistakes = [
        ("overwritten", loss + x[rows, target] - want[rows, target]),
        ("loss scaled", 0.5 * loss),
        *loss_mistakes(x, target),
    ]
    loss_trial.known(got, mistakes)
    if not close(got, loss):
        raise loss_trial.wrong("loss")
    x, target = x[:3, :5], target[:3].clamp(max=4)
    trial.holds("spare elements", x, target)
    loss_trial.holds("spare elements", x, target)


def _both_in_four_blocks(trial: Trial, loss_trial: Trial, x, target) -> None:
    got, want, hot = trial(x, target, block=4), trial.right(x, target), torch.nn.functional.one_hot(target, 16)
    if not within(1e-3, 1e-5)(got, want):
        if close(got[:, :4], want[:, :4]) and close(got[:, 12:], x[:, 12:]):
            raise trial.wrong("unwritten")
        so_far = [torch.softmax(x[:, :end], 1)[:, end - 4 :] for end in (4, 8, 12, 16)]
        if close(got, 0.5 * (torch.cat(so_far, 1) - hot)):
            raise trial.wrong("too early")
        raise trial.wrong("four blocks" if got.isfinite().all() else "overflow")
    got, want = loss_trial(x, target, block=4), loss_trial.right(x, target)
    if not near(x)(got, want):
        rows = torch.arange(3)
        if near(x)(got, want + x[rows, target] - trial.right(x, target)[rows, target]):
            raise loss_trial.wrong("overwritten")
        raise loss_trial.wrong("loss")


def _subtracted_before_rounding(trial: Trial) -> None:
    x, target = torch.zeros(2, 8), torch.tensor([2, 2])
    x[:, 2] = 8.875  # p = 0.9990
    x = x.bfloat16()
    got, want = trial(x, target, 1.0).float(), trial.right(x, target, 1.0)
    if not within(0.02)(got, want):
        place = 0, 2
        raise trial.wrong("rounded first", p=1 + want[place].item(), want=want[place].item(), got=got[place].item())
