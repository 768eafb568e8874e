"""Things to drag and click. Each `explore_…` takes starting values and returns an `Explorer`, which a notebook shows."""

from .base import Explorer
from .changes import what_changed
from .recorded import (
    attention_speed,
    explore_contest,
    explore_decode,
    kernel_names,
    launchers,
    left_out,
    loss_memory,
    regrets_of,
    warps_at_every_width,
    watch_cache,
    what_a_thread_holds,
    what_each_call_moved,
)
from .rows import (
    explore_attention,
    explore_gradient,
    explore_merging,
    explore_rounds,
    explore_sectors,
    explore_softmax,
    explore_split,
)
