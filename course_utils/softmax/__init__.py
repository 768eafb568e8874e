"""The softmaxes the course builds. One idea a file, from the obvious to the finished."""

from .blocked import blocked_kernel
from .finished import softmax
from .grid_stride import grid_stride_kernel, grid_stride_softmax
from .naive import naive_softmax
from .occupancy_launcher import occupancy_softmax
from .online import merge, online_kernel, online_softmax, three_pass_kernel
from .packed import packed_kernel
from .ragged import ragged_kernel
from .row_kernel import row_kernel, row_softmax
from .rows import rows_kernel
from .team import team_kernel

__all__ = [
    "blocked_kernel",
    "grid_stride_kernel",
    "grid_stride_softmax",
    "merge",
    "naive_softmax",
    "occupancy_softmax",
    "online_kernel",
    "online_softmax",
    "packed_kernel",
    "ragged_kernel",
    "row_kernel",
    "row_softmax",
    "rows_kernel",
    "softmax",
    "team_kernel",
    "three_pass_kernel",
]
