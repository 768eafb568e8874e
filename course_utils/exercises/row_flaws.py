"""Which known flaw explains what a kernel did: the search, and the flaws that every kernel of a row can have."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations

import torch

from .row_recipes import Astray, Recipe, simulate, softmax, top

Flaws = dict[str, list[dict]]  # by what is said of it: each a set of steps of the recipe, replaced

NEGATIVE = (-1.0, -10.0, -20.0, -1e2, -1e3, -1e4, -1e5, -1e6, -1e9, -1e10, -1e20, -1e30, -1e37, -3.4e38)


def _eps(small):
    def compute(x, at):
        weights = torch.exp(x - top(x))
        return weights / (weights.sum(1, keepdim=True) + small)

    return {"compute": compute}


def _zero_in_the_maximum(x, at):
    weights = torch.where(at.columns < at.n_cols, torch.exp(x - top(x)), 0.0)
    return weights / weights.sum(1, keepdim=True)


LOADS: Flaws = {
    "padded with zero": [{"other": 0.0}],
    "padded too high": [{"other": value} for value in NEGATIVE],
    "padded the wrong way": [{"other": value} for value in (math.inf, 1.0, 1e9, 1e38, math.nan)],
    "load unmasked": [
        {"load_mask": lambda at: at.columns >= 0},
        {"load_mask": lambda at: at.columns <= at.n_cols, "store_mask": lambda at: at.columns <= at.n_cols},
    ],
    "one column too few": [
        {"load_mask": lambda at: at.columns < at.n_cols - 1, "store_mask": lambda at: at.columns < at.n_cols - 1},
        {"load_mask": lambda at: at.columns < at.n_cols - 1},
    ],
}
STORES: Flaws = {"store unmasked": [{"store_mask": lambda at: at.columns >= 0}]}
STEPS: Flaws = {
    "x by columns": [{"x_step": lambda at: at.n_cols}],
    "y by columns": [{"y_step": lambda at: at.n_cols}],
    "both by columns": [{"x_step": lambda at: at.n_cols, "y_step": lambda at: at.n_cols}],
    "x by block": [{"x_step": lambda at: at.block}],
    "y by block": [{"y_step": lambda at: at.block}],
    "x by y": [{"x_step": lambda at: at.y_stride}],
    "y by x": [{"y_step": lambda at: at.x_stride}],
    "strides exchanged": [{"x_step": lambda at: at.y_stride, "y_step": lambda at: at.x_stride}],
    "one row only": [{"row": lambda at: at.row * 0}],
    "next row": [{"row": lambda at: at.row + 1}],
}
ARITHMETIC: Flaws = {
    "no maximum": [{"compute": lambda x, at: softmax(x, at, by=torch.zeros_like)}],
    "not divided": [{"compute": lambda x, at: torch.exp(x - top(x))}, {"compute": lambda x, at: torch.exp(x)}],
    "logarithm": [
        {"compute": lambda x, at: torch.log_softmax(x, 1)},
        {"compute": lambda x, at: x - torch.log(torch.exp(x).sum(1, keepdim=True))},
    ],
    "no exponential": [
        {"compute": lambda x, at: x / x.sum(1, keepdim=True)},
        {"compute": lambda x, at: (x - top(x)) / (x - top(x)).sum(1, keepdim=True)},
    ],
    "divided by the columns": [{"compute": lambda x, at: torch.exp(x - top(x)) / at.n_cols}],
    "small number added": [_eps(small) for small in (1e-6, 1e-5, 1e-4, 1e-3)],
    "first subtracted": [{"compute": lambda x, at: softmax(x, at, by=lambda x: x[:, :1])}],
    "copied": [{"compute": lambda x, at: x}],
    "zero in the maximum": [{"other": 0.0, "compute": _zero_in_the_maximum}],
}
SOFTMAX: Flaws = LOADS | STORES | STEPS | ARITHMETIC


@dataclass(frozen=True)
class Evidence:
    """What a kernel did on every probe, beginning with the probe that first went wrong."""

    recipe: Recipe
    probes: list
    found: list  # a tensor or `Astray` for each
    agree: Callable

    def fits(self, changes: dict, probes: slice = slice(None)) -> bool:
        changed = replace(self.recipe, **changes)
        pairs = zip(self.probes[probes], self.found[probes])
        return all(_same(simulate(changed, probe.x, probe.output), one, probe, self.agree) for probe, one in pairs)


def explain(evidence: Evidence, flaws: Flaws, many: tuple[str, ...] = ()) -> str | None:
    """The one flaw that explains everything; of several at once, the one that every explanation has.

    `many` names flaws of which more than two may stand together: those that a learner was given to find."""
    for candidates in _by_size(evidence, flaws, many):
        names = [names for names, changes in candidates if evidence.fits(changes)]
        if names:
            shared = set.intersection(*map(set, names))
            return next((name for name in flaws if name in shared), None)
    return None


Combined = Iterator[tuple[tuple[str, ...], dict]]


def _by_size(evidence: Evidence, flaws: Flaws, many: tuple[str, ...]) -> Iterator[Combined]:
    """The single flaws, then pairs, then more of those of which there may be many: the simplest explanation first."""
    single = [(name, change) for name, changes in flaws.items() for change in changes]
    yield (((name,), change) for name, change in single)
    suspects = [id(change) for _, change in single if evidence.fits(change, slice(1))]
    yield _together(single, 2, suspects)
    given = [(name, change) for name, change in single if name in many]
    for size in range(3, len(many) + 1):
        yield _together(given, size)


def _together(single, size: int, suspects: list[int] | None = None) -> Combined:
    """So many flaws that don't get in each other's way; one of them must be a suspect."""
    for chosen in combinations(single, size):
        if suspects is not None and not any(id(change) in suspects for _, change in chosen):
            continue
        changes = {step: do for _, change in chosen for step, do in change.items()}
        if len({name for name, _ in chosen}) == size and len(changes) == sum(len(change) for _, change in chosen):
            yield tuple(name for name, _ in chosen), changes


def _same(simulated, one, probe, agree) -> bool:
    if isinstance(simulated, Astray) or isinstance(one, Astray):
        return isinstance(simulated, Astray) and isinstance(one, Astray) and simulated.like(one)
    loosely = replace(probe, relative=max(probe.relative, 1e-4), absolute=max(probe.absolute, 1e-6))
    return agree(one, simulated, loosely)
