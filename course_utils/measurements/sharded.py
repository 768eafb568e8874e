"""Rows split over GPUs, and what a message costs: recorded by `torchrun --nproc-per-node 2 -m course_tools.sharded`."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Line:
    part: str  # shapes, widths, loss, pairs, wire
    what: str  # an operator or a collective
    way: str
    ranks: int
    rows: int
    columns: int  # of the whole row
    dtype: str
    bytes: int  # of a message, from each rank
    median_us: float
