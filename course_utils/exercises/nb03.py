"""The exercises of 03_masked_row_kernel (its questions are in `nb03_questions`)."""

import math

import torch

from .exercise import Exercise
from .nb03_norm import layer_norm_kernel
from .nb03_questions import QUESTIONS
from .nb03_says import CAUSAL_SAID, LOG_SAID, SAYS
from .row_flaws import ARITHMETIC, LOADS, SOFTMAX, STEPS, STORES
from .row_kernels import RowKernel
from .row_probes import ROWS, Probe, agree, row_probes
from .row_recipes import Recipe, softmax, top

__all__ = ["EXERCISES", "QUESTIONS"]

# ---- the logarithm of softmax


def _log(x, at, by=top, of=torch.log, more=0.0):
    shifted = x - by(x)
    return shifted - of(torch.exp(shifted).sum(1, keepdim=True)) - more


def _nothing(x):
    return torch.zeros(len(x), 1)


_log_softmax_kernel = RowKernel(
    lambda x: torch.log_softmax(x, dim=1),
    Recipe(compute=_log),
    {
        "softmax": [{"compute": softmax}],
        "maximum twice": [{"compute": lambda x, at: _log(x, at) - top(x)}],
        "maximum never back": [
            {"compute": lambda x, at: x - torch.log(torch.exp(x - top(x)).sum(1, keepdim=True))},
        ],
        "sum itself": [{"compute": lambda x, at: _log(x, at, of=lambda total: total)}],
        "after the quotient": [{"compute": lambda x, at: torch.log(softmax(x, at))}],
        "no exponential": [{"compute": lambda x, at: x - top(x) - torch.log((x - top(x)).sum(1, keepdim=True))}],
        "small number in the logarithm": [
            {"compute": lambda x, at, small=small: torch.log(softmax(x, at) + small)}
            for small in (1e-12, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5)
        ],
        "after the quotient, no maximum": [{"compute": lambda x, at: torch.log(softmax(x, at, by=_nothing))}],
        "log without maximum": [{"compute": lambda x, at: _log(x, at, by=_nothing)}],
        "sign": [{"compute": lambda x, at: -_log(x, at)}],
        "base 2": [{"compute": lambda x, at: _log(x, at, of=torch.log2)}],
        "added": [{"compute": lambda x, at: _log(x, at, of=lambda total: -torch.log(total))}],
    }
    | LOADS
    | STORES
    | STEPS
    | {"copied": ARITHMETIC["copied"]},
    LOG_SAID,
)

# ---- not looking ahead


def _causal(x):
    seen = torch.tril(torch.ones(x.shape, dtype=torch.bool))
    return torch.softmax(x.masked_fill(~seen, -math.inf), dim=1).masked_fill(~seen, 0)


def _causal_agree(got, want, probe):
    """Where a row's softmax is NaN, the columns after may be 0, as asked, or NaN with the rest of the row."""
    excused = (want == 0) & want[:, :1].isnan() & got.isnan()
    return agree(got.masked_fill(excused, 0), want, probe)


def _within(at):
    return at.columns < at.n_cols


def _seen(at):
    return _within(at) & (at.columns <= at.row)


def _hidden_as(value):
    """Loaded in full; what may not be seen is replaced by `value`."""
    return {"load_mask": _within, "compute": lambda x, at: softmax(torch.where(at.columns <= at.row, x, value), at)}


def _lowered_by(low):
    return {
        "load_mask": _within,
        "compute": lambda x, at: softmax(x + torch.where(at.columns <= at.row, 0.0, low), at),
    }


def _hidden_later(x, at):
    """The maximum is that of the whole row; the future is hidden after exp."""
    weights = torch.where(at.columns <= at.row, torch.exp(x - top(x)), 0.0)
    return weights / weights.sum(1, keepdim=True)


_RISING = ROWS.repeat(2, 1)[:5] + 200 * torch.arange(5)
_CAUSAL = Recipe(load_mask=_seen)
_causal_kernel = RowKernel(
    _causal,
    _CAUSAL,
    {
        "own column hidden": [
            {"load_mask": lambda at: _within(at) & (at.columns < at.row)},
            {
                "load_mask": _within,
                "compute": lambda x, at: softmax(torch.where(at.columns < at.row, x, -math.inf), at),
            },
        ],
        "one column ahead": [
            {"load_mask": lambda at: _within(at) & (at.columns <= at.row + 1)},
            {
                "load_mask": _within,
                "compute": lambda x, at: softmax(torch.where(at.columns <= at.row + 1, x, -math.inf), at),
            },
        ],
        "nothing hidden": [{"load_mask": _within}],
        "wrong way round": [
            {"load_mask": lambda at: _within(at) & (at.columns >= at.row)},
            {"load_mask": lambda at: _within(at) & (at.columns > at.row)},
        ],
        "hidden as 0": [{"other": 0.0}, _hidden_as(0.0)],
        "not low enough": [{"other": low} for low in (-1e4, -1e6, -1e9, -1e30)]
        + [_hidden_as(low) for low in (-1e2, -1e3, -1e4, -1e6, -1e9, -1e30)]
        + [_lowered_by(low) for low in (-1e2, -1e3, -1e4, -1e6, -1e9)],
        "after normalising": [
            {"load_mask": _within, "compute": lambda x, at: torch.where(at.columns <= at.row, softmax(x, at), 0.0)},
        ],
        "maximum of the future": [{"load_mask": _within, "compute": _hidden_later}],
        "future not written": [{"store_mask": _seen}],
        "no bound on the load": [{"load_mask": lambda at: at.columns <= at.row}],
        "no bound on the store": [{"store_mask": lambda at: at.columns <= at.row}],
        "logarithm": [{"compute": lambda x, at: _log(x, at)}],
    }
    | {name: SOFTMAX[name] for name in ("store unmasked", *STEPS, "no maximum", "not divided", "small number added")},
    CAUSAL_SAID,
    [
        *row_probes(),
        Probe(CAUSAL_SAID["rising"], _RISING),
        Probe(CAUSAL_SAID["tall"], ROWS.repeat(3, 1)),
    ],
    agree=_causal_agree,
)

EXERCISES = {
    name: Exercise(name, grader, SAYS[name])
    for name, grader in {
        "log_softmax_kernel": _log_softmax_kernel,
        "causal_kernel": _causal_kernel,
        "layer_norm_kernel": layer_norm_kernel,
    }.items()
}
