"""Things to drag and click. Each function takes starting values and returns an `Explorer`, which a notebook shows."""

from .attention_explorer import explore_attention, explore_attention_bytes
from .base import Explorer
from .benchmark_explorer import explore_benchmark
from .cache_explorer import softmax_on, watch_cache
from .changes import what_changed
from .ladder_explorer import explore_ladder, scoreboard, won_and_lost
from .launch_curves import launch_curves
from .mask_explorer import explore_mask
from .merging_explorer import explore_merging
from .occupancy_explorer import explore_occupancy
from .own_kernel import needs_of, on_the_curve
from .pipeline_explorer import explore_pipeline
from .reduction_explorer import explore_reduction
from .softmax_explorer import explore_softmax
from .split_explorer import explore_split
from .stride_explorer import explore_grid_stride
from .traffic_explorer import explore_traffic
from .training_explorers import explore_gradient, explore_vocabulary

__all__ = [
    "Explorer",
    "explore_attention",
    "explore_attention_bytes",
    "explore_benchmark",
    "explore_gradient",
    "explore_grid_stride",
    "explore_ladder",
    "explore_mask",
    "explore_merging",
    "explore_occupancy",
    "explore_pipeline",
    "explore_reduction",
    "explore_softmax",
    "explore_split",
    "explore_traffic",
    "explore_vocabulary",
    "launch_curves",
    "needs_of",
    "on_the_curve",
    "scoreboard",
    "softmax_on",
    "watch_cache",
    "what_changed",
    "won_and_lost",
]
