"""From the row kernel to `softmax`, a change at a time: which kernel each step launches for a shape, and in what sizes."""

from dataclasses import replace

import torch

from ... import hardware
from ...backend import triton
from ..launch import Launch, on_grid
from ..row_kernel import row_kernel
from .choose import VECTOR, WARPS, WIDEST, Gpu, Shape, alone, gpu_of, options, share
from .meeting import meeting_kernel
from .pieces import pieces_kernel
from .powers import powers_kernel
from .several import several_kernel

STEPS = ("row", "several", "pieces", "meeting", "powers", "registers", "wide", "hints", "fitted", "early")
NUMBERS = dict(zip(STEPS[1:], (1, 2, 3, 3, 3, 4, 5, 5, 6), strict=True))  # as notebook 07 counts them
IN_PIECES = {"pieces": pieces_kernel, "meeting": meeting_kernel, "powers": powers_kernel, "registers": powers_kernel}
HINTS = {"wide": "", "hints": "evict_last"}  # what these give everywhere; those after them as `choose` sees fit


def launch_of(step: str, shape: Shape, gpu: Gpu) -> Launch:
    """What this step launches: rows that one program can hold, in float32 or 16 bits."""
    if shape.size > 4 or shape.columns > WIDEST[shape.size]:
        raise LookupError(f"{shape.columns} columns of {shape.size} bytes: no step for them")
    if step in STEPS[STEPS.index("wide") :]:
        launch = alone(shape, replace(gpu, early=gpu.early and step == "early"))
        hinted = {"HINT": HINTS[step]} if step in HINTS else {}
        return replace(launch, constants=launch.constants | hinted)
    block = triton.next_power_of_2(shape.columns)
    if step == "row":
        return Launch(row_kernel, shape.rows, (shape.columns, shape.stride, shape.columns), {"BLOCK_SIZE": block})
    lanes = gpu.warp * VECTOR // shape.size
    warps, pieces = share(shape.columns, lanes, shape.size)
    rows = max(1, WARPS // warps) * max(1, lanes // block)
    sizes = shape.columns, shape.stride, shape.rows, shape.columns
    programs = triton.cdiv(shape.rows, rows)
    chosen = options(gpu, max(WARPS, warps), pieces * shape.vector * (step == "registers"), early=False)
    if step == "several":
        return Launch(several_kernel, programs, sizes, {"ROWS": rows, "BLOCK_SIZE": block}, chosen)
    constants = {"ROWS": rows, "PIECES": pieces, "WARPS": warps, "LANES": min(lanes, block)}
    return Launch(IN_PIECES[step], programs, sizes, constants, chosen)


def launch_for(step: str, columns: int, dtype=torch.float32, device="H200", rows: int = 4096) -> Launch:
    """The same for dense rows, on a GPU that need not be here."""
    gpu, size = hardware.find(device), dtype.itemsize
    early = hardware.chip_of(gpu).target[1] >= 90
    like = Gpu(gpu.multiprocessors, cuda=True, early=early, cache=gpu.cache)
    return launch_of(step, Shape(rows, columns, size, columns, on_grid=True), like)


def launch_on(step: str, y, x) -> Launch:
    """The same for tensors, on the GPU that holds them."""
    shape = Shape(*x.shape, x.element_size(), x.stride(0), on_grid(y.data_ptr(), x.data_ptr()))
    return launch_of(step, shape, gpu_of(x.device))


def same_launches(shape: Shape, gpu: Gpu) -> dict[str, str]:
    """For each step the first that launches the very same: not every step changes something for every shape."""
    first: dict[str, str] = {}
    launches = {step: launch_of(step, shape, gpu) for step in STEPS}
    for step, launch in launches.items():
        first[step] = next(before for before in STEPS if _same(launches[before], launch))
    return first


def _same(one: Launch, other: Launch) -> bool:
    return (one.kernel, one.programs, one.constants, one.options) == (
        other.kernel,
        other.programs,
        other.constants,
        other.options,
    )
