"""Who is measured: PyTorch, the libraries that are installed here, and the course's own. What is absent is left out."""

import importlib
import importlib.metadata
from dataclasses import dataclass

import torch

from course_utils import hardware
from course_utils import softmax as course
from course_utils.backend import mode, triton
from course_utils.softmax.choose import gpu_of
from course_utils.softmax.npu import widest_block
from course_utils.timing.floors import copy

from .tutorial_launcher import remembered, tutorial, tutorial_cached

# The rest is made for GPUs: compilers, libraries, and the launchers that count registers.
ON_NPU = {"copy", "naive", "torch", "row", "grid stride", "softmax", "softmax again"}


PEERS = ("torch", "compile", "compile tuned", "liger", "gems", "quack")


# When the versions came out that were recorded: the dates in their wheels.
RELEASED = {
    ("liger-kernel", "0.8.5"): "2026-10-21",
    ("flag-gems", "5.0.2"): "2026-04-24",
    ("quack-kernels", "0.6.5"): "2026-09-11",
}


@dataclass(frozen=True)
class Provider:
    name: str
    prepare: object  # for one shape: returns the function to time
    package: str = "torch"
    columns: int = 1 << 30  # the most it is asked for
    slow: bool = False  # to compile, so it is asked for a part of the sweep only
    tunes: bool = False  # itself, which takes longer still

    def is_asked(self, columns: int, slow_too: bool) -> bool:
        """Whether it is measured at this width, of which the sweep says whether the slow ones are wanted too."""
        return columns <= self.columns and (slow_too or not self.slow)


def providers() -> list[Provider]:
    """Everyone who can be measured here."""
    return [each for each in everyone() if version(each.package) and (mode != "npu" or each.name in ON_NPU)]


def everyone() -> list[Provider]:
    """Whoever would be measured if all were installed."""
    whole = widest_block(hardware.here()) if mode == "npu" else 16384  # columns of which one program can hold a row
    return [
        Provider("copy", lambda x: torch.clone if mode == "npu" else copy),
        Provider("copy early", _copy_early),
        Provider("naive", lambda x: course.naive_softmax),
        Provider("torch", lambda x: lambda x: torch.softmax(x, -1)),
        Provider("compile", _compiled, slow=True),
        Provider("compile tuned", _compiled_and_tuned, slow=True, tunes=True),
        Provider("compile naive", _compiled_naive, columns=8192, slow=True),
        Provider("tutorial", lambda x: tutorial, "triton", whole),
        Provider("tutorial cached", _forgetful, "triton", whole),
        Provider("liger", lambda x: _liger(), "liger-kernel"),
        Provider("gems", lambda x: _gems(), "flag-gems"),
        Provider("quack", lambda x: _quack(), "quack-kernels", slow=True),
        Provider("helion", _helion, "helion", slow=True, tunes=True),
        Provider("row", lambda x: course.row_softmax, "triton", whole),
        Provider("grid stride", _grid_stride, "triton", whole),
        Provider("three passes", lambda x: _three_passes, "triton", slow=True),
        Provider("online", lambda x: course.online_softmax, "triton", slow=True),
        Provider("occupancy", lambda x: course.occupancy_softmax, "triton", whole, slow=True),
        Provider("softmax", lambda x: course.softmax, "triton"),
        Provider("softmax again", lambda x: course.softmax, "triton"),  # the difference is what chance does
    ]


def version(package: str) -> str | None:
    if package == "triton":
        return triton.__version__  # its package has other names on ROCm and Ascend
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def _compiled(x):
    torch._dynamo.reset()
    return torch.compile(lambda x: torch.softmax(x, -1), dynamic=False)


def _compiled_and_tuned(x):
    torch._dynamo.reset()
    return torch.compile(lambda x: torch.softmax(x, -1), dynamic=False, mode="max-autotune-no-cudagraphs")


def _compiled_naive(x):
    torch._dynamo.reset()
    return torch.compile(course.naive_softmax, dynamic=False)


def _copy_early(x):
    early = gpu_of(x.device).early
    return lambda x: copy(x, early)


def _forgetful(x):
    remembered.clear()
    return tutorial_cached


def _grid_stride(x):
    # A vector core runs one program after another; a multiprocessor has room for several at once.
    programs = (1 if mode == "npu" else 4) * hardware.here().multiprocessors
    return lambda x: course.grid_stride_softmax(x, programs)


def _three_passes(x, block=4096):
    y = torch.empty_like(x)
    course.three_pass_kernel[(len(x),)](y, x, y.stride(0), x.stride(0), x.shape[1], BLOCK_SIZE=block)
    return y


def _liger():
    return importlib.import_module("liger_kernel.ops.softmax").LigerSoftmaxFunction.apply


def _gems():
    function = importlib.import_module("flag_gems.ops.softmax").softmax
    return lambda x: function(x, -1)


def _quack():
    return importlib.import_module("quack.softmax").softmax_fwd


def _helion(x):
    bound, config = importlib.import_module(f"{__package__}.helion_rows").tuned(x)

    def launch(x):
        return bound(x)

    launch.tuned = config
    return launch
