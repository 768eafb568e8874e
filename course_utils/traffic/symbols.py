"""Counts as formulas: 5·M·N + 2·M is easier to believe, and to check by hand, than 136."""

from collections import Counter
from itertools import combinations_with_replacement
from math import prod

from ..language import both

_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


class Symbols:
    """Named sizes, such as M = 4 and N = 6, and how counts are written with them."""

    def __init__(self, **sizes: int):
        values = list(sizes.values())
        if not values or min(values) < 2 or len(set(values)) < len(values):
            raise ValueError(
                both(
                    f"要用符号写出次数，各尺寸必须互不相同且不小于 2，例如 M=4、N=6；这里是 {sizes}。",
                    f"To write counts in symbols, the sizes must differ and be at least 2, such as M=4, N=6; here they are {sizes}.",
                )
            )
        self.sizes = sizes

    def of_shape(self, shape: tuple[int, ...], times: int = 1) -> Counter:
        """The polynomial of `times` copies of a shape: a Counter from a product of names, ("M", "N"), to its coefficient."""
        names: list[str] = []
        for size in shape:
            factors = self._factors(size)
            names += factors
            times *= size // prod(self.sizes[name] for name in factors)
        return Counter({tuple(sorted(names)): times}) if times else Counter()

    def _factors(self, size: int) -> tuple[str, ...]:
        """A size as a product of symbols: M itself, or M·N for a flattened matrix; else no symbol, just the number."""
        for count in (1, 2):
            for names in combinations_with_replacement(self.sizes, count):
                if size == prod(self.sizes[name] for name in names):
                    return names
        return ()


def write(polynomial: Counter) -> str:
    """5MN + 2M, the highest powers first."""
    terms = sorted(((names, times) for names, times in polynomial.items() if times), key=lambda t: (-len(t[0]), t[0]))
    return " + ".join(f"{times if times > 1 or not names else ''}{_product(names)}" for names, times in terms) or "0"


def _product(names: tuple[str, ...]) -> str:
    powers = Counter(names)
    return "".join(name + (str(power).translate(_RAISED) if power > 1 else "") for name, power in powers.items())
