"""Programs under a person's hand: who takes which row."""

from ..figures.schedules import grid_stride
from .base import Explorer, dial, film, slider, switch


def explore_grid_stride(rows=10, programs=4, start=0.1, uneven=False, seen=100) -> Explorer:
    """A grid that strides over the rows, beside one program per row."""
    return Explorer(
        grid_stride,
        rows=slider("行数 M", "rows M", rows, 1, 64),
        programs=slider("program 数 P", "programs P", programs, 1, 16),
        start=dial("启动一个 program ÷ 一行", "starting a program ÷ a row", start, 0, 1, 0.05),
        uneven=switch("有些行要三倍时间", "some rows take three times as long", uneven),
        seen=film("时间（%）", "time (%)", seen, 0, 100, 2),
    )
