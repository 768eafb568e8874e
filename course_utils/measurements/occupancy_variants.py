"""How many programs the driver lets in: the grid-stride kernel compiled in sixty ways."""

import torch

from .. import hardware
from ..compiler import compile_for
from ..softmax import grid_stride_kernel
from .bench import every, fit_on_an_sm, line_of

BLOCKS, WARPS, STAGES = (256, 512, 1024, 2048, 4096, 8192), (1, 2, 4, 8, 16), (2, 4)
CASES = every(block=BLOCKS, num_warps=WARPS, stages=STAGES)


class Line(line_of(block=int, num_warps=int, stages=int, registers=int, shared=int, programs=int)):
    """One way to compile it, what it then needs, and how many programs the driver says fit."""

    @property
    def needs(self) -> dict:
        """What a model of occupancy asks."""
        return {"registers": self.registers, "shared": self.shared, "num_warps": self.num_warps}


def measure(block, num_warps, stages):
    launch = (torch.float32, torch.float32, block, block, 4096, block)
    constants = {"BLOCK_SIZE": block, "STAGES": stages, "num_warps": num_warps}
    needs = compile_for(grid_stride_kernel, hardware.here(), *launch, **constants)
    yield Line(block, num_warps, stages, needs.registers, needs.shared, fit_on_an_sm(needs))
