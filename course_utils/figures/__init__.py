"""Every picture of the course. Each function takes plain numbers and returns a `Picture`, which a notebook shows.

To draw another: curves go through `chart.chart`, anything else onto a `Canvas`, with colours from `style.COLOURS`. A label is
"列数 · columns" or a `Text`, and each language gets a drawing of its own. Return a `Picture` with its description in both. Add
its awkward cases to AWKWARD in tests/pictures.py: what a notebook draws is checked by itself (layout, letters, colours).
"""

from .attention import attention_shapes, attention_tiles
from .bars import memory_bars, shares, traffic_bars
from .cache_state import cache_state
from .curves import (
    placing_cost,
    short_rows,
    speed_curves,
    split_or_not,
    timing_in_order,
)
from .flow import memory_flow
from .gpu import lanes_and_elements
from .masks import mask_and_copy, mask_as_address
from .memory import in_memory, sectors
from .merging import merge_tree
from .picture import Picture
from .pieces import ragged_rows, row_pieces
from .queues import early_chain, early_start, launch_bill, launch_queue
from .schedules import pipeline
from .scoreboard import contenders, elements_a_thread, regrets, scoreboard
from .sharing import exchange_rounds, pairs_buffer, row_split
from .softmax_pictures import softmax_gradient, softmax_steps
