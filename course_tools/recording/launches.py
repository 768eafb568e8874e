"""Measures launchers: the grid-stride kernel in every configuration that fits, and whoever stands beside it."""

import gc

import torch

from course_utils import hardware, occupancy
from course_utils import softmax as course
from course_utils.backend import triton
from course_utils.compiler import compile_for
from course_utils.softmax import grid_stride_kernel, row_kernel
from course_utils.softmax.prefetch import prefetch_kernel
from course_utils.timing.floors import copy
from course_utils.timing.launches import PROGRAMS, SHAPES, STAGES, Launch
from course_utils.timing.stopwatch import inputs_for, measure

SECONDS = 0.01
BESIDE = {"copy": copy, "softmax": course.softmax}


def warps_for(columns: int) -> tuple[int, ...]:
    """Few warps for narrow rows; the compiler would take minutes for wide rows and few warps."""
    return (1, 2, 4, 8) if columns <= 512 else (4, 8, 16) if columns <= 8192 else (8, 16, 32)


def measure_launches(shapes=SHAPES):
    for shape in shapes:
        inputs = inputs_for(*shape, torch.float32, "cuda")
        for who, function in BESIDE.items():
            yield Launch(who, *shape, 0, 0, 0, 0, 0, 0, *_microseconds(function, inputs))
        for num_warps in warps_for(shape[1]):
            yield from _measured("row", row_kernel, shape, {"num_warps": num_warps}, inputs)
            yield from _measured("prefetch", prefetch_kernel, shape, {"num_warps": num_warps}, inputs)
            for stages in STAGES:
                options = {"STAGES": stages, "num_warps": num_warps}
                yield from _measured("grid stride", grid_stride_kernel, shape, options, inputs)


def _measured(who: str, kernel, shape, options: dict, inputs):
    """A program a row, or every number of programs that fits."""
    (n_rows, n_cols), x = shape, inputs[0]
    sizes = (n_cols, n_cols, *([] if kernel is row_kernel else [n_rows]), n_cols)
    options = options | {"BLOCK_SIZE": triton.next_power_of_2(n_cols)}
    needs = compile_for(kernel, hardware.here(), x, x, *sizes, **options)
    fits = occupancy.of(needs).programs
    found = options["num_warps"], options.get("STAGES", 0)
    for programs in [0] if kernel is row_kernel else sorted({fits, *(p for p in PROGRAMS if p < fits)} - {0}):
        grid = (min(n_rows, programs * hardware.here().multiprocessors or n_rows),)

        def launch(x, grid=grid):
            y = torch.empty_like(x)
            kernel[grid](y, x, *sizes, **options)
            return y

        assert torch.allclose(launch(x), torch.softmax(x, 1), atol=1e-6)
        needed = programs, fits, needs.registers, needs.shared
        yield Launch(who, *shape, *found, *needed, *_microseconds(launch, inputs))


def _microseconds(function, inputs) -> tuple[float, ...]:
    gc.collect()  # what frees memory while a graph is captured ends the capture
    gc.disable()
    try:
        timing = measure(function, inputs, SECONDS)
    finally:
        gc.enable()
    return tuple(round(seconds * 1e6, 3) for seconds in (timing.median, timing.low, timing.high))
