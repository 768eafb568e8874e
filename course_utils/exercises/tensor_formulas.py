"""Exercises whose answer is a tensor: like `formulas`, with the right function, described probes and known mistakes as data."""

from collections.abc import Callable
from dataclasses import dataclass, field

import torch

from ..language import Text
from .probes import close, tensor
from .sayings import Sayings, few

OURS = Sayings("""
differs
{asked}：第 {row} 行应是 {want}，你给的是 {got}。
{asked}: row {row} should be {want}; you gave {got}.
""")


@dataclass(frozen=True)
class TensorFormula:
    """A grader: called with the learner's function, raises `Wrong` unless it agrees with `right` on every probe."""

    says: Sayings
    right: Callable
    probes: list[tuple[Text, tuple]]  # what is special about it, and the arguments
    mistakes: list[tuple[str, Callable]] = field(default_factory=list)

    def __call__(self, answer) -> None:
        got = [tensor(answer, *(a.clone() for a in probe), shape=probe[0].shape) for _, probe in self.probes]
        want = [self.right(*probe) for _, probe in self.probes]
        if all(map(close, got, want)):
            return
        found = {key for key, wrong in self.mistakes if self._gives(wrong, got)}
        if len(found) == 1:
            raise self.says.wrong(found.pop())
        asked, g, w = next((text, g, w) for (text, _), g, w in zip(self.probes, got, want) if not close(g, w))
        row = next(row for row in range(len(w)) if not close(g[row], w[row]))
        raise OURS.wrong("differs", asked=asked, row=row, want=few(w[row].tolist()), got=few(g[row].tolist()))

    def _gives(self, wrong, got: list[torch.Tensor]) -> bool:
        return all(close(mine, wrong(*probe).float()) for mine, (_, probe) in zip(got, self.probes))
