"""The grader of 11.cached_causal_kernel: scale, causal mask and softmax in one, where earlier keys are in a cache."""

import math

import torch

from ..backend import triton
from .kernel_probes import UNTOUCHED, Layout
from .nb11_launch import close, launch, told_apart
from .nb11_says import CAUSAL, SAYS
from .trials import Trial, within
from .wrong import Wrong


def _seen(s, shift=None, strict=0):
    """Which columns each query sees: its own, `shift` to the right of its row, and those before."""
    rows, columns = s.shape
    shift = columns - rows if shift is None else shift
    return torch.arange(columns)[None] + strict <= torch.arange(rows)[:, None] + shift


def _causal(s, scale, **which):
    seen = _seen(s, **which)
    return torch.softmax((s.float() * scale).masked_fill(~seen, -math.inf), 1).masked_fill(~seen, 0)


def _unnormalised(s, seen):
    s = s.masked_fill(~seen, -math.inf)
    return torch.exp(s - s.amax(1, keepdim=True))


def _from_its_own_on(s):
    """What comes out if the mask is the wrong way round: a query sees its own column, and those to the right of it."""
    return torch.softmax(s.masked_fill(_seen(s, strict=1), -math.inf), 1)


def cached_causal_kernel(kernel):
    def run(s, scale, spare=0):
        p = Layout(spare=spare).empty(s.shape, s.dtype)
        sizes = (p.stride(0), s.stride(0), *s.shape, scale)
        return launch(kernel, (len(s),), p, s, *sizes, BLOCK_SIZE=triton.next_power_of_2(s.shape[1]))

    trial = Trial(run, _causal, (CAUSAL, SAYS), close)
    torch.manual_seed(11)
    s = torch.randn(3, 8)
    seen = _seen(s)
    got, traffic = run(s, 0.25)
    _formula(trial, got, s, 0.25)
    for shape in ((5, 13), (1, 7), (6, 6), (4, 129)):
        trial.holds("sizes", torch.randn(shape), 0.5)
    _strides(trial, torch.randn(5, 20)[:, :13])
    trial.holds("tall", torch.randn(3, 8) + torch.arange(8) * 300, 1.0)
    trial.holds("half", torch.randn(3, 8).half(), 0.3, agree=within(2e-3, 2e-3))
    trial.holds("half", (torch.randn(3, 8) * 30).bfloat16(), 0.3, agree=within(1e-2, 1e-2))
    if (loads := traffic["scores_ptr"].loads) > seen.sum():
        raise CAUSAL.wrong("unseen loaded", loads=loads, seen=seen.sum().item())


def _formula(trial: Trial, got, s, scale) -> None:
    want, seen, plain = trial.right(s, scale), _seen(s), torch.softmax(s * scale, 1)
    if (got == UNTOUCHED).any() and close(got[seen], want[seen]):
        raise trial.wrong("unseen unwritten")
    mistakes = [
        ("no cache", _causal(s, scale, shift=0)),
        ("own column hidden", _causal(s, scale, strict=1)),
        ("one column ahead", _causal(s, scale, strict=-1)),
        ("not divided", _unnormalised(s * scale, seen)),
        ("hidden as 0", torch.softmax((s * scale).masked_fill(~seen, 0), 1)),
        ("wrong way round", _from_its_own_on(s * scale)),
        ("nothing hidden", plain),
        ("after normalising", plain.masked_fill(~seen, 0)),
        ("scale forgotten", _causal(s, 1.0)),
        ("scaled too late", _causal(s, 1.0) * scale),
        ("divided by scale", _causal(s, 1 / scale)),
    ]
    told_apart(trial, got, mistakes, want)
    if not close(got, want):
        raise trial.wrong("formula")


def _strides(trial: Trial, cut) -> None:
    try:
        fits = trial.fits(cut, 0.5, spare=3)
    except Wrong:  # lanes astray, where a packed matrix had none
        fits = False
    if not fits:
        raise trial.wrong("strides")
