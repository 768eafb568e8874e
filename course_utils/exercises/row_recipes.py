"""A row kernel as a recipe, so that kernels with a known flaw can be simulated and held against what a learner's kernel did.

A recipe says which rows a program takes, what it loads, computes and stores; a flaw is a recipe with a step or two replaced.
Simulated on the same memory, it gives the same result as the kernel, or leaves its tensor at the same place.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace

import torch

from ..backend import triton
from .kernel_probes import Layout


def top(x):
    """The largest of each row; like `tl.max` it passes over NaN."""
    return torch.where(x.isnan(), -math.inf, x).amax(1, keepdim=True)


def softmax(x, at, by=top):
    weights = torch.exp(x - by(x))
    return weights / weights.sum(1, keepdim=True)


@dataclass(frozen=True)
class Recipe:
    """One program a row. Every step is a function of the place `at`: row, columns, n_cols, block, the strides."""

    row: Callable = lambda at: at.row
    load_mask: Callable = lambda at: at.columns < at.n_cols
    other: float = -math.inf
    x_step: Callable = lambda at: at.x_stride
    x_next: Callable = lambda at: at.x_next
    compute: Callable = softmax  # of what was loaded and `at`
    y_step: Callable = lambda at: at.y_stride
    y_next: Callable = lambda at: at.y_next
    store_mask: Callable = lambda at: at.columns < at.n_cols


@dataclass(frozen=True)
class Astray:
    """A launch that left its tensor; `kind` says in what (load or store), where that is known."""

    kind: str | None = None

    def like(self, other: "Astray") -> bool:
        return None in (self.kind, other.kind) or self.kind == other.kind


@dataclass(frozen=True)
class Memory:
    """A tensor from its first to its last element, and which of those are its own (a view skips some)."""

    elements: torch.Tensor
    own: torch.Tensor

    @classmethod
    def of(cls, tensor: torch.Tensor) -> "Memory":
        span = 1 + sum((size - 1) * stride for size, stride in zip(tensor.shape, tensor.stride()))
        own = torch.zeros(span, dtype=torch.bool)
        own.as_strided(tensor.shape, tensor.stride()).fill_(True)
        return cls(tensor.as_strided((span,), (1,)), own)

    def holds(self, offsets: torch.Tensor) -> torch.Tensor:
        inside = (offsets >= 0) & (offsets < len(self.own))
        return inside & self.own[torch.where(inside, offsets, 0)]


def simulate(recipe: Recipe, x: torch.Tensor, output: Layout) -> torch.Tensor | Astray:
    """What a kernel that follows the recipe makes of `x`, or that it leaves its tensor."""
    (rows, columns), y = x.shape, output.empty(x.shape, x.dtype)
    block = triton.next_power_of_2(columns)
    at = SimpleNamespace(
        row=torch.arange(rows)[:, None], columns=torch.arange(block)[None, :], n_rows=rows, n_cols=columns, block=block
    )
    (at.x_stride, at.x_next), (at.y_stride, at.y_next) = x.stride(), y.stride()

    def asked(mask, step, following):
        shape = rows, block
        return mask(at).expand(shape), (recipe.row(at) * step(at) + at.columns * following(at)).expand(shape)

    (load, source), (store, target) = (
        asked(recipe.load_mask, recipe.x_step, recipe.x_next),
        asked(recipe.store_mask, recipe.y_step, recipe.y_next),
    )
    read, written = Memory.of(x), Memory.of(y)
    lost = {"load": (load & ~read.holds(source)).any(1), "store": (store & ~written.holds(target)).any(1)}
    first = {kind: rows_lost.nonzero()[0].item() for kind, rows_lost in lost.items() if rows_lost.any()}
    if first:
        return Astray(min(first, key=first.get))  # of the first program; a load comes before its store
    values = torch.where(load, read.elements[torch.where(load, source, 0)].float(), recipe.other)
    result = recipe.compute(values, at).expand(rows, block)
    written.elements[target[store]] = result[store].to(y.dtype)
    return y
