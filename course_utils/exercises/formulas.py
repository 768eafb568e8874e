"""Exercises whose answer is a number: the right formula, probes, and the formulas of known mistakes, all as data.

A mistake is named only where the evidence singles it out: its formula, and that of no other mistake, gives just what the
answer gave, on every probe. Otherwise the check says what was put in, what came out and what was expected.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from ..language import Text
from .probes import near, number
from .sayings import Sayings

OURS = Sayings("""
differs
{asked} 应得 {want}，你给的是 {got}。
{asked} should give {want}; you gave {got}.

changed
你的函数改动了输入的列表：没有要求它改，调用它的人还要用。
Your function changed the list it was given; nobody asked it to, and the caller still needs it.
""")


def plainly(*probe) -> str:
    """How a call is shown: its arguments in brackets."""
    return f"({', '.join(f'{one}' for one in probe)})"


@dataclass(frozen=True)
class Formula:
    """A grader: called with the learner's function, raises `Wrong` unless it agrees with `right` on every probe."""

    says: Sayings
    right: Callable
    probes: list[tuple]
    mistakes: list[tuple[str, Callable]] = field(default_factory=list)  # a key of `says`, and the formula
    asked: Callable[..., str | Text] = plainly
    share: float = 1e-6  # how far a right result may stray …
    wrong_share: float = 1e-5  # … and that of a known mistake

    def __call__(self, answer) -> None:
        got = [self._ask(answer, probe) for probe in self.probes]
        want = [self.right(*probe) for probe in self.probes]
        if self._agree(got, want, self.share):
            return
        if named := self._named(got):
            raise self.says.wrong(named)
        probe, g, w = next(
            found for found in zip(self.probes, got, want) if not self._agree([found[1]], [found[2]], self.share)
        )
        raise OURS.wrong("differs", asked=self.asked(*probe), got=f"{g:.6g}", want=f"{w:.6g}")

    def _ask(self, answer, probe) -> float:
        mine = tuple(list(one) if isinstance(one, list) else one for one in probe)
        got = number(answer, *mine)
        if mine != probe:
            raise OURS.wrong("changed")
        return got

    def _named(self, got: list[float]) -> str | None:
        """The one mistake that explains all results."""
        found = {key for key, formula in self.mistakes if self._agree(got, self._values(formula), self.wrong_share)}
        return found.pop() if len(found) == 1 else None

    def _values(self, formula) -> list[float] | None:
        try:
            return [formula(*probe) for probe in self.probes]
        except ArithmeticError:  # a mistake that has no value everywhere explains nothing
            return None

    @staticmethod
    def _agree(got: list[float], want: list[float] | None, share: float) -> bool:
        return want is not None and all(near(g, w, share) or (w == 0 and abs(g) < 1e-12) for g, w in zip(got, want))


__all__ = ["Formula", "plainly"]
