"""Mutation testing: the row kernel with one thing changed each time, and whether a test notices.

The changes are those of the exercise 03.two_inputs. The test is the usual one, which compares a packed result with
`torch.softmax`: nothing lies behind its rows, so that it sees neither a wrong stride nor what is written too far.
"""

import torch

from .. import worker
from ..table import Table
from . import exposing, files, launch


def mutants(x: torch.Tensor) -> Table:
    """What the usual test says of every wrong kernel when this is its input."""
    table = Table("改动 · the change", "测试 · the test")
    for says, passed in zip([probe.says for probe in _probes()], passes(x), strict=True):
        table.add(f"{says.zh} · {says.en}".replace("`", ""), "通过 · passes" if passed else "抓住 · caught")
    return table


def passes(x: torch.Tensor) -> list[bool]:
    """Interpreted in a process of their own, since some of these kernels leave their tensors."""
    changes = [probe.given["kernel"].removeprefix("~ ") for probe in _probes()]
    here = torch.empty_strided(x.shape, x.stride(), dtype=x.dtype).copy_(x)  # a plain copy would pack a slice
    return worker.run(f"{__package__}.mutants:each_passes", here, changes)


def each_passes(x: torch.Tensor, changes: list[str]) -> list[bool]:
    return [_passes(exposing.kernel_with(change), x) for change in changes]


def _probes() -> list[files.Probe]:
    return files.find("03.two_inputs").probes


def _passes(kernel, x: torch.Tensor) -> bool:
    rows, columns = x.shape
    strides = {"y_stride": columns, "x_stride": x.stride(0)}
    given = {"y_ptr": torch.empty(rows, columns), "x_ptr": x, **strides, "n_cols": columns}
    seen = launch.observed(kernel, (rows,), given, {"BLOCK_SIZE": 1 << (columns - 1).bit_length()}, ["y_ptr"])
    return torch.allclose(seen["written"]["y"], torch.softmax(x, dim=1))
