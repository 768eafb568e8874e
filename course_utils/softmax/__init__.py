"""The softmaxes the course builds. One idea a file, from the obvious to the finished."""

from .. import interpreter  # repairs, and without them half as fast
from .backward import backward_blocked_kernel, backward_rows_kernel, backward_team_kernel, softmax_backward
from .blocked import blocked_kernel
from .finished import softmax
from .grid_stride import grid_stride_kernel, grid_stride_softmax
from .linear_loss import linear_loss
from .losses import loss_backward_kernel, loss_kernel
from .naive import naive_softmax
from .operators import cross_entropy, log_softmax
from .row_kernel import row_kernel, row_softmax
from .rows import rows_kernel
from .team import team_kernel
from .tile import occupancy_softmax
from .training import backward_kernel, fused_loss, fused_row_kernel, row_backward
from .two_passes import merge, three_pass_kernel, three_pass_softmax, two_pass_kernel, two_pass_softmax
