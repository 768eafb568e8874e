"""The rows on which 08's kernels are tried, how a kernel is launched and watched, and what known mistakes make of a row."""

import math
from collections import Counter
from dataclasses import dataclass

import torch

from ..interpreter import Listener, listening
from ..traffic.kernels import LaunchTraffic
from .kernel_probes import refuse_strays, refuse_unwritten
from .launching import counted
from .nb08_says import SAYS

INF, NAN = math.inf, math.nan
RISING = torch.tensor(
    [[0.0, -1.0, 0.5, 1.0, 2.0, 1.5, 3.0, 2.5, 5.0, 4.0, 3.5, 4.5], [1, 0, 2, 1, 0, 3, 3, 2, 4, 5, 6, 4]]
)
FALLING = RISING.flip(1)
ONE_BLOCK = RISING[:, :4].contiguous()
LOW = RISING[:, :10].contiguous() - 30
CUT = RISING[:, :7]
FIRST_EMPTY = torch.tensor([[-INF] * 4 + [1.0, 2.0, 0.0, -1.0, 3.0]])


@dataclass
class Watch:
    """What each program loaded of `x`, and how much was stored."""

    loads: Counter  # elements, by program
    stores: int


class Watching(Listener):
    """Over there: the same, as it happens."""

    def __init__(self):
        self.loads, self.stores = Counter(), 0

    def accessed(self, launch, access):
        asked = set(access.offset[access.mask].tolist()) if access.mask.any() else set()
        if access.kind == "load":
            self.loads[access.program] += len(asked)
        else:
            self.stores += len(asked)

    def told(self):
        return [(tuple(map(int, program)), count) for program, count in self.loads.items()], self.stores


def watching():
    return listening(Watching())


def watched(kernel, grid, output, *arguments, **constants) -> Watch:
    """Launches the kernel into `output`. Raises `Wrong` if a lane leaves its tensor, or nothing is written."""
    traffic, (loads, stores) = counted(kernel, grid, output, *arguments, watch=f"{__name__}:watching", **constants)
    refuse_strays(traffic, SAYS[_suspect(traffic, output, *arguments)])
    refuse_unwritten(output)
    return Watch(Counter(dict(loads)), stores)


def _suspect(traffic: LaunchTraffic, output, *arguments) -> str:
    """What a kernel is likely to lack whose lanes leave their tensor."""
    if output.dim() == 1 and any(access.kind == "store" for access in traffic.astray):
        return "a number a row"
    tensors = [one for one in (output, *arguments) if isinstance(one, torch.Tensor)]
    return "the last block" if all(tensor.is_contiguous() for tensor in tensors) else "its own stride"


def blocks(x, block=4):
    return [x[:, k : k + block] for k in range(0, x.shape[1], block)]


def padded(x, block=4):
    """Whole blocks, filled up with 0."""
    return torch.nn.functional.pad(x, (0, -x.shape[1] % block))


def unrepaired(x):
    """Maximum and sum of a row whose earlier parts keep the maximum that they were added with."""
    high, total = torch.full((len(x), 1), -INF), torch.zeros(len(x), 1)
    for part in blocks(x):
        high = torch.maximum(high, part.amax(1, keepdim=True))
        total = total + torch.exp(part - high).sum(1, keepdim=True)
    return high, total
