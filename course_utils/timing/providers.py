"""Who is measured: PyTorch, the libraries that are installed here, and the course's own. What is absent is left out."""

import importlib
import importlib.metadata
from dataclasses import dataclass

import torch

from .. import softmax as course
from .seed_launcher import remembered, seed, seed_cached


@dataclass(frozen=True)
class Provider:
    name: str
    prepare: object  # for one shape: returns the function to time
    package: str = "torch"
    columns: int = 1 << 30  # the most it is asked for
    every: int = 1  # of the sweep; what compiles slowly is asked for a part of it


def providers() -> list[Provider]:
    """Everything that can be measured here."""
    found = [
        Provider("copy", lambda x: torch.clone),
        Provider("naive", lambda x: course.naive_softmax),
        Provider("torch", lambda x: lambda x: torch.softmax(x, -1)),
        Provider("compile", _compiled, every=4),
        Provider("compile naive", _compiled_naive, columns=8192, every=4),
        Provider("seed", lambda x: seed, "triton", 16384),
        Provider("seed cached", _forgetful, "triton", 16384),
        Provider("liger", lambda x: _liger(), "liger-kernel"),
        Provider("gems", lambda x: _gems(), "flag-gems"),
        Provider("quack", lambda x: _quack(), "quack-kernels", every=4),
        Provider("row", lambda x: course.row_softmax, "triton", 16384),
        Provider("grid stride", _grid_stride, "triton", 16384),
        Provider("occupancy", lambda x: course.occupancy_softmax, "triton", 16384, every=4),
        Provider("softmax", lambda x: course.softmax, "triton"),
        Provider("softmax again", lambda x: course.softmax, "triton"),  # the difference is what chance does
    ]
    return [each for each in found if version(each.package)]


def version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def _compiled(x):
    torch._dynamo.reset()
    return torch.compile(lambda x: torch.softmax(x, -1), dynamic=False)


def _compiled_naive(x):
    torch._dynamo.reset()
    return torch.compile(course.naive_softmax, dynamic=False)


def _forgetful(x):
    remembered.clear()
    return seed_cached


def _grid_stride(x):
    programs = 4 * torch.cuda.get_device_properties(x.device).multi_processor_count
    return lambda x: course.grid_stride_softmax(x, programs)


def _liger():
    return importlib.import_module("liger_kernel.ops.softmax").LigerSoftmaxFunction.apply


def _gems():
    function = importlib.import_module("flag_gems.ops.softmax").softmax
    return lambda x: function(x, -1)


def _quack():
    return importlib.import_module("quack.softmax").softmax_fwd
