"""Graders for kernels of which each program does a row: what came out on every probe, and what is said of it."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

import torch

from ..language import Text
from .kernel_probes import UNTOUCHED, launch
from .row_flaws import SOFTMAX, Evidence, Flaws, explain
from .row_probes import Probe, agree, row_probes
from .row_recipes import Astray, Recipe
from .row_sayings import ROWS_SAID
from .sayings import Sayings
from .wrong import Wrong


@dataclass(frozen=True)
class RowKernel:
    """A grader: launches the learner's kernel on every probe and raises `Wrong` unless all agree with `reference`."""

    reference: Callable  # what should come out for x, in float32
    recipe: Recipe = field(default_factory=Recipe)
    flaws: Flaws = field(default_factory=lambda: SOFTMAX)
    says: Sayings = field(default_factory=lambda: ROWS_SAID)  # what stands there goes before what stands here
    probes: list[Probe] = field(default_factory=row_probes)
    run: Callable = lambda kernel, probe: launch(kernel, probe.x, probe.output)  # a tensor, or Astray, or Wrong
    agree: Callable = agree
    many: tuple[str, ...] = ()

    def __call__(self, kernel) -> None:
        found, said = [], []
        for probe in self.probes:
            try:
                found.append(self.run(kernel, probe))
                said.append(None)
            except Wrong as mistake:
                found.append(_failed(mistake, probe))
                said.append(mistake)
        want = [self.reference(probe.x.float()) for probe in self.probes]
        right = [
            not isinstance(one, Astray) and self.agree(one, w, probe) for one, w, probe in zip(found, want, self.probes)
        ]
        if all(right):
            return
        first = right.index(False)
        order = [first, *(k for k in range(len(found)) if k != first)]
        evidence = Evidence(self.recipe, [self.probes[k] for k in order], [found[k] for k in order], self.agree)
        if name := explain(evidence, self.flaws, self.many):
            raise (self.says if name in self.says else ROWS_SAID).wrong(name)
        raise _what_came_out(self.probes[first], found[first], want[first], said[first], self.agree)


def _failed(mistake: Wrong, probe: Probe) -> torch.Tensor | Astray:
    """What the launch complained of: an output left as it was, or a lane that strays. Anything else is said as it is."""
    zh, en = mistake.args
    if "Nothing was written" in en:
        return probe.output.empty(probe.x.shape, probe.x.dtype)
    if "@triton.jit" in en:
        raise mistake
    kinds = [kind for kind in ("load", "store") if f"tl.{kind}(" in en or f"The {kind} leaves" in en]
    return Astray(kinds[0] if len(kinds) == 1 else None)


def _what_came_out(probe: Probe, got, want, said: Wrong | None, agree) -> Wrong:
    """No known mistake: the probe, and the first element that is wrong."""
    if isinstance(got, Astray):
        where = [
            re.search(place, text) for place, text in zip((r"（.*）", r" \(.*\)"), said.args if said else ("", ""))
        ]
        return ROWS_SAID.wrong("astray", asked=probe.says, where=Text(*(found[0] if found else "" for found in where)))
    want = want.expand(got.shape)
    places = [(r, c) for r in range(len(got)) for c in range(got.shape[1])]
    row, column = next(
        (place for place in places if not agree(got[place][None, None], want[place][None, None], probe)), (0, 0)
    )
    narrow = probe.x.element_size() < 4  # those probes come last: all before were right
    key = "unwritten" if got[row, column] == UNTOUCHED else "narrow" if narrow else "value"
    return ROWS_SAID.wrong(
        key, asked=probe.says, row=row, column=column, got=got[row, column].item(), want=want[row, column].item()
    )
