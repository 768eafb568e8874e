"""What starting early costs: programs are then set up more slowly, which shows where every row, however narrow, is a program."""

from dataclasses import replace

import torch

from course_utils.softmax.choose import Shape, alone, gpu_of
from course_utils.softmax.ragged import ragged_kernel
from course_utils.timing.stopwatch import inputs_for, measure

ROWS, WIDTHS, DTYPES = 4096, (301, 501, 781, 1001, 1501), ("float32", "bfloat16")


def measure_early():
    for dtype in DTYPES:
        for columns in WIDTHS:
            inputs = inputs_for(ROWS, columns, getattr(torch, dtype), "cuda")
            functions = {early: _one_row_each(inputs[0], early) for early in (False, True)}
            for state in ("sustained", "hot"):
                for early, function in functions.items():
                    timing = measure(function, inputs, state=state)
                    line = {"dtype": dtype, "columns": columns, "state": state, "early": int(early)}
                    yield line | timing.in_microseconds()
            del inputs, functions
            torch.cuda.empty_cache()


def _one_row_each(x, early: bool):
    """One warp to a row, one row to a program."""
    shape = Shape(*x.shape, x.element_size(), x.stride(0), on_grid=True)
    launch = alone(shape, replace(gpu_of(x.device), early=False))
    assert launch.kernel is ragged_kernel
    constants = launch.constants | {"EARLY": early}
    options = launch.options | ({"launch_pdl": True} if early else {})
    launch = replace(launch, constants=constants, options=options)

    def run(x):
        y = torch.empty_like(x)
        if not launch.short or not launch.short(y.data_ptr(), x.data_ptr()):
            launch(y, x)
        return y

    return run
