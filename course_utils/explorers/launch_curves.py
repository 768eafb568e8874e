"""Recorded launches against each other, at every shape: a curve for the matrices of 4096 rows, and one for the tall ones."""

from ..figures import relative_speeds
from ..figures.picture import Picture


def launch_curves(base: str, faster: dict[tuple[int, int], float], title: str) -> Picture:
    """`faster` is {(rows, columns): how many times as fast as `base`}."""
    curves = {base: {columns: 1.0 for _, columns in faster}}
    curves["4096 行 · rows"] = {columns: ratio for (rows, columns), ratio in faster.items() if rows == 4096}
    curves["432 MB"] = {columns: ratio for (rows, columns), ratio in faster.items() if rows != 4096}
    return relative_speeds(curves, base, title=title, missing=("没有录", "not recorded"))
