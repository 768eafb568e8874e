"""The graders of 10 for the gradient of the loss: in place of the scores, and with rows that are ignored."""

import math

import torch

from ..backend import triton
from .kernel_probes import UNTOUCHED, Layout
from .nb10_launch import launch
from .nb10_loss_says import GRADIENT
from .nb10_says import SAYS
from .probes import close
from .row_probes import among
from .trials import Trial, noise, within

TABLES = (GRADIENT, SAYS)


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


# ---- in place


def in_place_gradient_kernel(kernel):
    def run(x, target, scale=0.5, spare=0):
        held, lse, columns = among(x, spare), torch.logsumexp(x.float(), 1), x.shape[1]
        arguments = (held, target, lse, scale, held.stride(0), columns)
        return launch(kernel, held, *arguments, block=triton.next_power_of_2(columns))

    trial = Trial(run, _score_gradient, TABLES)
    x, target = noise(4, 8), torch.tensor([3, 0, 7, 2])
    trial.known(trial(x, target), _score_mistakes(x, target))
    trial.holds("in place", x, target)
    for columns in (5, 1, 2, 127, 129, 300):
        x, target = noise(3, columns) * 3, torch.arange(3) * 7 % columns
        trial.holds("columns", x, target, 0.25)
    if not within(1e-3, 1e-5)(trial(x + 1000, target, 0.25), trial.right(x, target, 0.25)):
        raise GRADIENT.wrong("tall")
    trial.holds("gaps", x, target, 0.25, spare=4)
    _subtracted_before_rounding(trial)
    _, moved = run(x, torch.arange(3), 0.25)
    loads, stores, most = moved.loads("x_ptr"), moved.stores("x_ptr"), x.numel()
    if max(loads, stores) > most:
        raise GRADIENT.wrong("traffic", loads=loads, stores=stores, most=most)


def _subtracted_before_rounding(trial: Trial) -> None:
    x, target = torch.zeros(2, 8), torch.tensor([2, 2])
    x[:, 2] = 8.875  # p = 0.9990
    x = x.bfloat16()
    got, want = trial(x, target, 1.0).float(), trial.right(x, target, 1.0)
    if not within(0.02)(got, want):
        place = 0, 2
        raise trial.wrong("rounded first", p=1 + want[place].item(), want=want[place].item(), got=got[place].item())


# ---- rows that are ignored


def ignoring_gradient_kernel(kernel):
    def run(x, target, ignored=-100, spare=0):
        dx, lse, columns = Layout(spare).empty(x.shape, x.dtype), torch.logsumexp(x.float(), 1), x.shape[1]
        arguments = (dx, x, target, lse, 0.5, dx.stride(0), x.stride(0), columns, ignored)
        return launch(kernel, dx, *arguments, block=triton.next_power_of_2(columns))

    def right(x, target, ignored=-100):
        kept = target != ignored
        return torch.where(kept[:, None], _score_gradient(x, target.where(kept, 0)), 0.0)

    trial = Trial(run, right, TABLES)
    x = noise(4, 8)
    _none_ignored(trial, x, torch.tensor([3, 0, 7, 2]))
    target = torch.tensor([3, -100, 7, -100])
    got, moved = run(x, target)
    _some_ignored(trial, got, x, target)
    for ignored in (0, 5, -1, -7):
        if not trial.fits(x, torch.tensor([ignored, 3, ignored, 1]), ignored):
            raise GRADIENT.wrong("ignore_index", ignored=ignored)
    broken = x.clone()
    broken[1] = math.nan
    if trial(broken, target)[1].isnan().any():
        raise GRADIENT.wrong("nan")
    for columns in (5, 1, 129):
        trial.holds("columns", noise(3, columns), torch.tensor([0, -100, columns - 1]))
    trial.holds("strides", among(noise(3, 5), 3), torch.tensor([0, -100, 4]), spare=2)
    if (loads := moved.loads("x_ptr")) > 2 * 8:
        raise GRADIENT.wrong("ignored loaded", loads=loads)


def _none_ignored(trial: Trial, x, target) -> None:
    got = trial(x, target)
    if (got == 0).all():
        raise trial.wrong("all ignored")
    trial.known(got, _score_mistakes(x, target))
    if not close(got, trial.right(x, target)):
        raise trial.wrong("none ignored")


def _some_ignored(trial: Trial, got, x, target) -> None:
    """Row 1 is ignored."""
    if (got[1] == UNTOUCHED).all():
        raise trial.wrong("ignored unwritten")
    if close(got[1], 0.5 * torch.softmax(x[1], 0)):
        raise trial.wrong("ignored as no column")
    if not close(got, trial.right(x, target)):
        raise trial.wrong("ignored")
