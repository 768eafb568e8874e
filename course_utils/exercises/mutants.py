"""Mutation testing: the row kernel with one thing changed each time, and whether a test notices.

The changes are those of the exercise 03.two_inputs. The test is the usual one, which compares a packed result with
`torch.softmax`: nothing lies behind its rows, so that no input shows it a wrong stride of the output, nor what is written too far.
"""

import torch

from .. import worker
from ..table import Table
from . import exposing, files


def mutants(**inputs: torch.Tensor) -> Table:
    """Whether the usual test catches each wrong kernel, with every input, and how many in all."""
    table = Table("改动 · the change", *inputs)
    verdicts = [passes(x) for x in inputs.values()]
    for probe, *passed in zip(_probes(), *verdicts, strict=True):
        change = f"{probe.says.zh} · {probe.says.en}".replace("`", "")
        table.add(change, *("–" if each else "抓住 · caught" for each in passed))
    table.add("一共抓住 · caught in all", *(each.count(False) for each in verdicts))
    return table


def passes(x: torch.Tensor) -> list[bool]:
    """Interpreted in a process of their own, since some of these kernels leave their tensors."""
    changes = [probe.given["kernel"].removeprefix("~ ") for probe in _probes()]
    here = torch.empty_strided(x.shape, x.stride(), dtype=x.dtype).copy_(x)  # a plain copy would pack a slice
    return worker.run(f"{__package__}.mutants:each_passes", here, changes)


def each_passes(x: torch.Tensor, changes: list[str]) -> list[bool]:
    written = (exposing.row_launched(exposing.kernel_with(change), x, 0)["written"]["y"] for change in changes)
    return [torch.allclose(y, torch.softmax(x, dim=1)) for y in written]


def _probes() -> list[files.Probe]:
    return files.find("03.two_inputs").probes
