"""Share one row out to clusters, programs, warps and lanes, and see who has to wait for whom."""

from ..figures.row_split import row_split
from .base import Explorer, steps


def explore_split(columns=131072, programs=8, cluster=1, warps=4) -> Explorer:
    """`cluster`: programs in a cluster; 1 is none."""
    powers = [2**k for k in range(8)]
    return Explorer(
        row_split,
        columns=steps("列数", "columns", columns, [2**k for k in range(12, 21)]),
        programs=steps("几个 program 做一行", "programs that share a row", programs, powers),
        cluster=steps("几个 program 一簇（1：不成簇）", "programs in a cluster (1: none)", cluster, powers[:4]),
        warps=steps("一个 program 几个 warp", "warps of a program", warps, powers[:5]),
    )
