"""Measures persistence and pipeline stages: the same softmax at every width, in five ways."""

import torch

from course_utils import hardware, occupancy
from course_utils.backend import triton
from course_utils.compiler import compile_for
from course_utils.softmax import grid_stride_kernel, row_kernel
from course_utils.timing.pipeline import COLUMNS, NUM_WARPS, ROWS, STAGES, Run
from course_utils.timing.stopwatch import inputs_for, measure

SECONDS = 0.2


def measure_pipeline():
    """Every width in every way that the GPU of this machine can launch."""
    for columns in COLUMNS:
        inputs = inputs_for(ROWS, columns, torch.float32, "cuda")
        for stages in STAGES:
            launch, programs = _way(inputs[0], stages)
            if launch is None:
                continue
            assert torch.allclose(launch(inputs[0]), torch.softmax(inputs[0], dim=1), atol=1e-6)
            yield Run(columns, stages, programs, *measure(launch, inputs, SECONDS).milliseconds)


def _way(x, stages: int):
    """The function to time and how many programs it launches; None where not even one program fits."""
    n_rows, n_cols = x.shape
    options = {"BLOCK_SIZE": triton.next_power_of_2(n_cols), "num_warps": NUM_WARPS}
    if stages:
        kernel, sizes, options = grid_stride_kernel, (n_cols, n_cols, n_rows, n_cols), options | {"STAGES": stages}
    else:
        kernel, sizes = row_kernel, (n_cols, n_cols, n_cols)
    fits = occupancy.of(compile_for(kernel, hardware.here(), x, x, *sizes, **options))
    if not fits.programs:
        return None, 0
    programs = fits.launch(n_rows) if stages else n_rows

    def launch(x):
        y = torch.empty_like(x)
        kernel[(programs,)](y, x, *sizes, **options)
        return y

    return launch, programs
