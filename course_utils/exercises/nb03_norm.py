"""The grader of 03.layer_norm_kernel: another operator, where what lies outside the row must stay outside."""

import math
from dataclasses import replace

import torch

from .nb03_says import NORM_SAID
from .row_flaws import ARITHMETIC, LOADS, STEPS, STORES
from .row_kernels import RowKernel
from .row_probes import ASKED, ROWS, Probe, row_probes
from .row_recipes import Recipe

_EPS = 1e-5


def _mean(x, at, count=None):
    return x.sum(1, keepdim=True) / (count or at.n_cols)


def _normed(x, at, *, count=None, variance=None, masked=True, over=None, centre=True):
    """Layer normalisation with one thing or another done wrongly."""
    centred = x - _mean(x, at, count)
    kept = torch.where(at.columns < at.n_cols, centred, 0.0) if masked else centred
    spread = variance(x, at) if variance else _mean(kept.square(), at, count)
    return (kept if centre else x) / (over or _root)(spread)


def _root(variance):
    return torch.sqrt(variance + _EPS)


def _from_squares(x, at):
    return _mean(x.square(), at) - _mean(x, at).square()


def _centred(x, at):
    return torch.where(at.columns < at.n_cols, x - _mean(x, at), 0.0)


def _variance(x, at):
    return _mean(_centred(x, at).square(), at)


def _over_one_less(x, at):
    return _centred(x, at).square().sum(1, keepdim=True) / (at.n_cols - 1)


def _absolute(x, at):
    return _mean(_centred(x, at).abs(), at)


def _norm_probes():
    shown = [probe for probe in row_probes() if probe.says not in (ASKED["steep"], ASKED["special"], ASKED["high"])]
    return [
        *[replace(probe, absolute=max(probe.absolute, 1e-5)) for probe in shown],
        Probe(NORM_SAID["far from 0"], ROWS + 1000, absolute=2e-3),
        Probe(NORM_SAID["alike"], torch.full((2, 5), 3.0)),
        Probe(NORM_SAID["close"], ROWS * 1e-3, absolute=1e-3),
    ]


layer_norm_kernel = RowKernel(
    lambda x: torch.nn.functional.layer_norm(x.double(), x.shape[1:], eps=_EPS).float(),
    Recipe(other=0.0, compute=_normed),
    {
        "padding counted": [{"compute": lambda x, at: _normed(x, at, masked=False)}],
        "over the block": [{"compute": lambda x, at: _normed(x, at, count=at.block)}],
        "over the block, padding counted": [{"compute": lambda x, at: _normed(x, at, count=at.block, masked=False)}],
        "padded with -inf": [
            {"other": -math.inf},
            {"other": -math.inf, "compute": lambda x, at: _normed(x, at, masked=False)},
        ],
        "no eps": [{"compute": lambda x, at: _normed(x, at, over=torch.sqrt)}],
        "eps outside": [{"compute": lambda x, at: _normed(x, at, over=lambda v: torch.sqrt(v) + _EPS)}],
        "no root": [{"compute": lambda x, at: _normed(x, at, over=lambda v: v + _EPS)}],
        "one less": [{"compute": lambda x, at: _normed(x, at, variance=_over_one_less)}],
        "from squares": [{"compute": lambda x, at: _normed(x, at, variance=_from_squares)}],
        "not divided": [{"compute": lambda x, at: _normed(x, at, variance=lambda x, at: at.n_cols * _variance(x, at))}],
        "absolute": [{"compute": lambda x, at: _normed(x, at, variance=_absolute)}],
        "not centred": [{"compute": lambda x, at: _normed(x, at, centre=False)}],
        "root mean square": [{"compute": lambda x, at: x / _root(_mean(x.square(), at))}],
        "only centred": [{"compute": lambda x, at: x - _mean(x, at)}],
        "load unmasked": LOADS["load unmasked"],
        "one column too few": LOADS["one column too few"],
    }
    | STORES
    | STEPS
    | {"copied": ARITHMETIC["copied"]},
    NORM_SAID,
    _norm_probes(),
)
