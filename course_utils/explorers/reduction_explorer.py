"""Step through `tl.max` or `tl.sum`, from the lanes of a block to one value."""

from ..figures.reduction import OPERATIONS, reduction_tree
from .base import Explorer, choice, film, steps


def explore_reduction(block=64, warps=1, operation="max", stage=8) -> Explorer:
    """The stages of a reduction: inside a thread, inside a warp, between warps."""
    return Explorer(
        reduction_tree,
        block=steps("块大小 BLOCK", "block size", block, [2**k for k in range(3, 12)]),
        warps=steps("num_warps", "num_warps", warps, [1, 2, 4, 8]),
        operation=choice("运算", "operation", operation, [(f"tl.{name}", name) for name in OPERATIONS]),
        stage=film("显示到第几步", "stages shown", stage, 1, 8, milliseconds=900),
    )
