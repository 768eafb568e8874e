"""Drag stages and times: when a program waits, and when a row is always there before it is wanted."""

from ..figures.pipeline import pipeline
from .base import Explorer, dial, slider


def explore_pipeline(stages=3, rows=8, load=2.0, compute=1.0) -> Explorer:
    """One program of a pipelined row loop, in the order that the compiler gives it."""
    return Explorer(
        pipeline,
        stages=slider("级数", "stages", stages, 1, 8),
        rows=slider("这个 program 做的行数", "rows of this program", rows, 1, 24),
        load=dial("一行在路上的时间", "time a row is on its way", load, 0.25, 8, 0.25),
        compute=dial("算一行的时间", "time to compute a row", compute, 0.25, 4, 0.25),
    )
