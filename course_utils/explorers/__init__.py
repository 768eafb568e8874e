"""Things to drag and click. Each `explore_…` takes starting values and returns an `Explorer`, which a notebook shows."""

from .attention import explore_attention, explore_attention_bytes
from .base import Explorer
from .changes import what_changed
from .ladder import explore_ladder, scoreboard, won_and_lost
from .own_kernel import needs_of, on_the_curve
from .programs import explore_grid_stride, explore_occupancy, explore_pipeline
from .recordings import explore_benchmark, explore_contest, explore_traffic, softmax_on, watch_cache
from .rows import (
    explore_gradient,
    explore_mask,
    explore_merging,
    explore_reduction,
    explore_rounds,
    explore_softmax,
    explore_split,
    explore_vocabulary,
)
from .tiles import regrets_of, warps_at_every_width, what_a_thread_holds
