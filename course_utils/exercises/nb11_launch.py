"""How 11's kernels are launched, and how a result is told from others."""

import torch

from .kernel_probes import refuse_strays, refuse_unwritten
from .launching import counted
from .nb11_says import SAYS
from .trials import Trial, within

close = within(2e-5, 2e-5)


def launch(kernel, grid, output: torch.Tensor, *arguments, **constants):
    """Launches the kernel into `output`; its traffic, one entry a tensor. Lanes astray are a mistake of their own."""
    traffic, _ = counted(kernel, grid, output, *arguments, **constants)
    refuse_strays(traffic, SAYS["astray"])
    refuse_unwritten(output)
    return output, {tensor.name: tensor for tensor in traffic.tensors}


def told_apart(trial: Trial, got, mistakes: list[tuple[str, torch.Tensor]], want) -> None:
    """Raises the mistake whose result this is, if it is the only one that could have made it."""
    found = {key for key, result in mistakes if close(got, result) and not close(result, want)}
    if len(found) == 1:
        raise trial.wrong(found.pop())
