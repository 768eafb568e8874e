"""Measures occupancy: puts compiled variants to the driver, and times ever more programs on one matrix."""

import ctypes
import itertools

import torch

from course_utils import hardware
from course_utils.compiler import compile_for
from course_utils.softmax import grid_stride_kernel
from course_utils.timing.occupancy import BLOCKS, COLUMNS, MOST_PROGRAMS, ROWS, STAGES, WARPS, Grid, Variant
from course_utils.timing.stopwatch import measure

SECONDS = 0.3


def measure_variants():
    """Sixty variants, compiled for the GPU of this machine and put to its driver."""
    device, dtype = hardware.here(), torch.float32
    torch.zeros(1, device="cuda")  # makes the driver's context current
    for block, num_warps, stages in itertools.product(BLOCKS, WARPS, STAGES):
        launch = (dtype, dtype, block, block, 4096, block)
        constants = {"BLOCK_SIZE": block, "STAGES": stages, "num_warps": num_warps}
        needs = compile_for(grid_stride_kernel, device, *launch, **constants)
        yield Variant(block, num_warps, stages, needs.registers, needs.shared, _programs(needs))


def measure_grids():
    """One tall matrix, and ever more programs."""
    return _grids((1, 4), range(1, MOST_PROGRAMS + 1))


def measure_lone():
    """The same matrix and a single program on every multiprocessor, with one stage after the other."""
    return _grids((1, 2, 3, 4), (1,))


def _grids(all_stages, all_programs):
    x = torch.randn(ROWS, COLUMNS, device="cuda")
    y = torch.empty_like(x)
    sizes, warps = (COLUMNS, COLUMNS, ROWS, COLUMNS), 8
    for stages, programs in itertools.product(all_stages, all_programs):
        grid = (programs * hardware.here().multiprocessors,)

        def launch(x, grid=grid, stages=stages):
            grid_stride_kernel[grid](y, x, *sizes, BLOCK_SIZE=COLUMNS, STAGES=stages, num_warps=warps)

        yield Grid(programs, warps, stages, ROWS, COLUMNS, *measure(launch, [x], SECONDS).milliseconds)


_MAX_DYNAMIC_SHARED = 8  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES


def _programs(needs) -> int:
    module, function, programs = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_int()
    shared = ctypes.c_size_t(needs.shared)
    driver("cuModuleLoadData", ctypes.byref(module), needs.binary)
    driver("cuModuleGetFunction", ctypes.byref(function), module, needs.name.encode())
    if needs.shared > 48 * 1024:  # as Triton does before it launches
        driver("cuFuncSetAttribute", function, _MAX_DYNAMIC_SHARED, needs.shared)
    count = "cuOccupancyMaxActiveBlocksPerMultiprocessor"
    driver(count, ctypes.byref(programs), function, needs.threads, shared)
    return programs.value


def driver(name: str, *arguments) -> None:
    """Calls the CUDA driver; raises what it returns."""
    status = getattr(ctypes.CDLL("libcuda.so.1"), name)(*arguments)
    if status:
        raise RuntimeError(f"{name}: CUDA error {status}")
