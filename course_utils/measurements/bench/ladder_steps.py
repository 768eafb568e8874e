"""The steps from the row kernel to `softmax`, ready to be timed."""

import torch

from ...softmax.choose import Shape
from ...softmax.ladder import STEPS, launch_on
from .driver import LOCAL_BYTES, REGISTERS, attribute, programs_at_once

__all__ = ["STEPS", "needs_of", "run_launch", "shape_of", "step_function"]


def shape_of(x) -> Shape:
    return Shape(*x.shape, x.element_size(), x.stride(0), on_grid=True)


def step_function(step: str, x):
    launch = launch_on(step, torch.empty_like(x), x)

    def run(x):
        y = torch.empty_like(x)
        run_launch(launch, y, x)
        return y

    return run


def run_launch(launch, y, x):
    return launch.kernel[(launch.programs,)](y, x, *launch.sizes, **launch.constants, **launch.options)


def needs_of(step: str, x) -> dict:
    """What a step takes of the GPU, asked of the driver."""
    y = torch.empty_like(x)
    launch = launch_on(step, y, x)
    compiled = run_launch(launch, y, x)
    warps, shared = launch.options.get("num_warps", 4), compiled.metadata.shared
    return {
        "programs": launch.programs,
        "warps": warps,
        "registers": attribute(compiled.function, REGISTERS),
        "spills": attribute(compiled.function, LOCAL_BYTES) // 4,
        "shared": shared,
        "barriers": compiled.asm["ptx"].count("bar.sync"),
        "at_once": programs_at_once(compiled.function, 32 * warps, shared),
    }
