"""Things to drag and click. Each `explore_…` takes starting values and returns an `Explorer`, which a notebook shows."""

from .attention import explore_attention
from .base import Explorer
from .calls import kernel_names, what_each_call_moved
from .changes import what_changed
from .left_out import left_out
from .peers import attention_speed, decode_shares, decode_speed, loss_memory
from .recordings import explore_contest, explore_traffic, softmax_on, watch_cache
from .rows import (
    explore_gradient,
    explore_mask,
    explore_merging,
    explore_reduction,
    explore_rounds,
    explore_softmax,
    explore_split,
)
from .tiles import regrets_of, warps_at_every_width, what_a_thread_holds
