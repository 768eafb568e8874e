"""How 10's kernels are launched: one program a row, into any of the arguments."""

from dataclasses import dataclass

import torch

from ..traffic.kernels import LaunchTraffic
from .answer import same
from .kernel_probes import LAUNCH_SAID, refuse_strays
from .launching import counted
from .nb10_says import SAYS


@dataclass(frozen=True)
class Moved:
    """What a launch read and wrote of each argument, in elements."""

    traffic: LaunchTraffic

    def loads(self, *names: str) -> int:
        return sum(tensor.loads for tensor in self.traffic.tensors if tensor.name in names)

    def stores(self, name: str) -> int:
        return sum(tensor.stores for tensor in self.traffic.tensors if tensor.name == name)


def launch(kernel, out: torch.Tensor, *arguments, block: int, also=None) -> tuple[torch.Tensor, Moved]:
    """Launches the kernel on `arguments`; `out` is one of them, and another that it may write is `also`.

    Raises `Wrong` if a lane leaves its tensor, or nothing is written to `out`."""
    before = out.clone()
    outputs = [one for one in (out, also) if one is not None]
    writes = tuple(next(at for at, one in enumerate(arguments) if one is output) for output in outputs)
    traffic, _ = counted(kernel, (len(out),), *arguments, writes=writes, BLOCK_SIZE=block)
    refuse_strays(traffic, SAYS["astray"])
    if same(out, before):
        raise LAUNCH_SAID.wrong("nothing written")
    return out, Moved(traffic)
