"""Every picture of the course. Each function takes plain numbers and returns a `Picture`, which a notebook shows.

To draw another: curves go through `chart.chart`, anything else onto a `Canvas`, with colours from `style.COLOURS`. A label is
"列数 · columns" or a `Text`, and each language gets a drawing of its own. Return a `Picture` with its description in both. Add
it to PICTURES in tests/pictures.py, and its layout, letters and colours are checked.
"""

from .attention_shapes import attention_shapes
from .attention_tiles import attention_tiles
from .bars import timing_in_order, traffic_bars
from .cache_state import cache_state
from .choices import elements_a_thread, regrets
from .course_map import course_map
from .crowded import crowded
from .curves import bandwidth_curves
from .early_start import early_chain, early_start
from .elements import lanes_and_elements
from .flow import memory_flow
from .gradient import softmax_gradient
from .grid_to_lane import grid_to_lane
from .in_memory import in_memory
from .launch_queue import launch_queue
from .left_out import left_out
from .mask import masked_row
from .masked_loads import mask_and_copy, mask_as_address
from .memory_layout import strided_rows
from .memory_levels import memory_levels
from .merging import merge_tree
from .multiprocessor import multiprocessor
from .pairs_buffer import pairs_buffer
from .peers import memory_bars, speed_curves
from .picture import Picture
from .pipeline import pipeline
from .ragged_rows import ragged_rows
from .reduction import reduction_tree
from .resident_warps import resident_warps
from .roofline import roofline
from .rounds import exchange_rounds
from .row_pieces import row_pieces
from .row_split import row_split
from .scoreboard import scoreboard
from .sectors import sectors
from .shares import shares
from .short_rows import placing_cost, short_rows
from .softmax_pictures import exp_limits, softmax_steps
from .splitting import gpu_scaling, split_or_not
from .stride import grid_stride
from .style import for_matplotlib
