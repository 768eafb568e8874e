"""The occupancy launcher: as many programs as fit on the device at once, so that none has to wait for another to end."""

import torch

from .. import hardware, occupancy
from ..backend import triton
from ..compiler import compile_for
from .grid_stride import grid_stride_kernel
from .inputs import as_matrix
from .npu import on_npu

NUM_WARPS = 8

plans = {}


def arguments(y, x):
    """What a launch passes to the kernel."""
    return y, x, y.stride(0), x.stride(0), *x.shape


def facts(argument):
    """What the compiler is told of an argument: with equal facts it makes the same kernel."""
    if isinstance(argument, torch.Tensor):
        return argument.dtype, argument.data_ptr() % 16 == 0, argument.untyped_storage().size() < 2**31
    return argument == 1, argument % 16 == 0, argument >= 2**31


def plan(y, x, device):
    """How many stages of a pipeline, and how many programs then fit: compiled and counted once for every kernel there is."""
    block = triton.next_power_of_2(x.shape[1])
    key = device.name, block, *map(facts, arguments(y, x))
    if key not in plans:
        plans[key] = decide(y, x, block, device)
    return plans[key]


def decide(y, x, block, device):
    """The deepest pipeline of which at least one program fits."""
    for stages in (4, 2, 1):
        constants = {"BLOCK_SIZE": block, "STAGES": stages, "num_warps": NUM_WARPS}
        fits = occupancy.of(compile_for(grid_stride_kernel, device, *arguments(y, x), **constants))
        if fits.programs:
            break
    return stages, fits


def occupancy_softmax(x, device=None):
    """Softmax of every row, by a number of programs that is computed for `device`: the one here, or an H200 if there is none."""
    device = device or hardware.here() or hardware.find("H200")
    x = as_matrix(x)
    y = torch.empty_like(x)
    if isinstance(device, hardware.Npu):
        on_npu(y, x, device)
        return y
    stages, fits = plan(y, x, device)
    grid = (fits.launch(len(x)),)
    block = triton.next_power_of_2(x.shape[1])
    grid_stride_kernel[grid](*arguments(y, x), BLOCK_SIZE=block, STAGES=stages, num_warps=NUM_WARPS)
    return y
