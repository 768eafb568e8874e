"""The grader of 10.one_pass_loss_kernel: the cross-entropy of a row, block by block."""

import math

import torch

from .kernel_probes import UNTOUCHED
from .nb10_launch import launch
from .nb10_loss_says import LOSS
from .nb10_says import SAYS
from .probes import close
from .row_probes import among
from .trials import Trial, noise


def _picked(x, target):
    """The score of each row's target."""
    return x.gather(1, target[:, None])[:, 0]


def losses(x, target):
    return (torch.logsumexp(x.double(), 1) - _picked(x.double(), target)).float()


def near(x):
    """As exact as float32 can be: m + log s and the score are as large as the scores, and each is rounded."""
    largest = float(x.abs().max()) if x.isfinite().all() else 1000.0
    return lambda got, want: torch.allclose(got, want, rtol=1e-4, atol=1e-6 + 3e-7 * largest, equal_nan=True)


def one_pass_loss_kernel(kernel):
    def run(x, target, block):
        loss = torch.full((len(x),), UNTOUCHED)
        return launch(kernel, loss, loss, x, target, x.stride(0), x.shape[1], block=block)

    trial = Trial(run, losses, (LOSS, SAYS))
    x, target = noise(4, 8) * 2, torch.tensor([3, 0, 7, 3])
    _in_one_block(trial, x, target)
    trial.holds("spare elements", x[:, :5], target.clamp(max=4), block=8)
    rising = torch.arange(16.0).repeat(3, 1) * 3
    for scores in (rising, rising.flip(1), rising + 1000, rising - 1000):
        _in_four_blocks(trial, scores, torch.tensor([1, 6, 15]))
    for columns, block in ((1, 4), (13, 4), (31, 8), (100, 32)):
        x, target = noise(3, columns) * 3, torch.arange(3) * 7 % columns
        trial.holds("sizes", x, target, block=block, agree=near(x))
    trial.holds("gaps", among(x, 3), target, block=32)
    dark, target = x.clone(), torch.tensor([0, 70, 9])
    dark[:, 10:60] = -math.inf
    trial.holds("empty block", dark, target, block=8)
    dark[:, :60] = -math.inf
    if trial(dark, target.clamp(min=60), block=8).isnan().any():
        raise trial.wrong("leading block")
    trial.holds("empty block", dark, target.clamp(min=60), block=8)
    _, moved = run(x, target, 32)
    if (read := moved.loads("x_ptr")) > x.numel() + len(x):
        raise LOSS.wrong("loads", times=read / x.numel())


def _in_one_block(trial: Trial, x, target) -> None:
    got = trial(x, target, block=8)
    trial.known(got, loss_mistakes(x, target))
    if got.isnan().any():
        raise trial.wrong("first factor")
    if not close(got, trial.right(x, target)):
        raise trial.wrong("one block", columns=8)


def loss_mistakes(x, target) -> list:
    """What a loss with one thing wrong is, of 8 columns."""
    want, m, rows, at = losses(x, target), x.amax(1), torch.arange(len(x)), _picked(x, target)
    whole = want + at  # log Σ exp
    s = torch.exp(whole - m)
    return [
        ("target not subtracted", whole),
        ("sign", -want),
        ("probability", torch.exp(-want)),
        ("log s subtracted", m - torch.log(s) - at),
        ("targets of row 0", whole - x[0, target]),
        ("next column", whole - x[rows, (target + 1) % 8]),
        ("minus probability", -torch.exp(-want)),
        ("maximum never back", want - m),
        ("m + s", s + m - at),
        ("next column", whole - x[rows, (target - 1) % 8]),
        ("number of the target", whole - target),
        ("target of row 0", whole - x[:, target[0]]),
    ]


def _in_four_blocks(trial: Trial, x, target) -> None:
    got, want = trial(x, target, block=4), trial.right(x, target)
    if near(x)(got, want):
        return
    parts = [x[:, start : start + 4] for start in range(0, 16, 4)]
    tops = torch.stack([part.amax(1) for part in parts])
    sums = torch.stack([torch.exp(part - part.amax(1, keepdim=True)).sum(1) for part in parts])
    running = tops.cummax(0)[0]
    unrepaired = torch.stack([torch.exp(part - m[:, None]).sum(1) for part, m in zip(parts, running)]).sum(0)
    at = _picked(x, target)
    mistakes = [
        ("repair", running[-1] + torch.log(unrepaired) - at),
        ("last block alone", tops[-1] + torch.log(sums[-1]) - at),
        ("first block alone", tops[0] + torch.log(sums[0]) - at),
        ("sums as they are", running[-1] + torch.log(sums.sum(0)) - at),
    ]
    trial.known(got, mistakes)
    raise trial.wrong("four blocks" if got.isfinite().all() else "overflow")
