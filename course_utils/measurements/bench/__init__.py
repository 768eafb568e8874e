"""What the experiments share; `counters` and `peers` besides, which only some of them need."""

from .call import copy_us
from .driver import fit_on_an_sm
from .experiment import Note, every, line_of, recorded, timed_line
from .kernels import copy, empty_kernel, late_gpu, launched, read, shape_of
from .recording import matrix_bytes
from .stopwatch import STATES, Timing, compare, flush_for, host_times, inputs_for, leave_cache, timed
