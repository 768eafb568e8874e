"""Drag N and see which elements are left over, and what each way of filling them does to the sum."""

from ..figures.mask import masked_row
from .base import Explorer, choice, dial, slider

_PADDINGS = [("−∞", "-inf"), ("0", "0"), ("没有掩码 · no mask", "none")]


def explore_mask(n_cols=5, padding="-inf", shift=0.0, most=1100) -> Explorer:
    """A row of `n_cols` in a block that is a power of two; `shift` moves every score."""
    return Explorer(
        masked_row,
        n_cols=slider("列数 N", "columns N", n_cols, 1, most),
        padding=choice("多余的元素填什么", "padding", padding, _PADDINGS),
        shift=dial("分数都加上", "add to every score", shift, -20, 20, 0.5),
    )
