"""Step through `tl.max` or `tl.sum`, from the lanes of a block to one value."""

from ..figures.reduction import OPERATIONS, reduction_stages, reduction_tree
from .base import Explorer, choice, film, steps


def explore_reduction(block=64, warps=1, operation="max", stage=None) -> Explorer:
    """The stages of a reduction: inside a thread, inside a warp, between warps. `stage` shows only so many of them."""
    most = len(reduction_stages(block, warps))
    explorer = Explorer(
        reduction_tree,
        block=steps("块大小 BLOCK", "block size", block, [2**k for k in range(3, 12)]),
        warps=steps("num_warps", "num_warps", warps, [1, 2, 4, 8]),
        operation=choice("运算", "operation", operation, [(f"tl.{name}", name) for name in OPERATIONS]),
        stage=film("显示到第几步", "stages shown", most if stage is None else stage, 1, most, milliseconds=900),
    )

    def follow(_change):
        """As many stages as there are now; all stay shown if all were."""
        stage = explorer.controls["stage"]
        all_shown = stage.value == stage.max
        stage.max = stage.player.max = len(reduction_stages(explorer.values["block"], explorer.values["warps"]))
        if all_shown:
            stage.value = stage.max

    for name in ("block", "warps"):
        explorer.controls[name].observe(follow, names="value")
    return explorer
