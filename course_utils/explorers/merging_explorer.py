"""Merge the pairs (m, s) of a row in any order, and see the same pair come out."""

from ..figures.merging import NUMBERS, merge_tree
from .base import Explorer, choice, film, slider, switch

_SHAPES = [
    ("两两合并 · pairwise", "pairwise"),
    ("逐个合并 · one by one", "one by one"),
    ("随意 · at random", "at random"),
]


def explore_merging(shape="pairwise", order=0, empty=False, step=None) -> Explorer:
    """Eight numbers as pairs; `order` 0 leaves them as they are, any other shuffles them; `step` shows so many merges."""
    most = len(NUMBERS) - 1
    return Explorer(
        merge_tree,
        shape=choice("合并的次序", "who meets whom", shape, _SHAPES),
        order=slider("打乱（0：不打乱）", "shuffle (0: as they are)", order, 0, 30),
        empty=switch("其中两个是 −∞", "two of them are −∞", empty),
        step=film("合并几次", "merges shown", most if step is None else step, 0, most, milliseconds=900),
    )
