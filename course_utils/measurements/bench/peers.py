"""Who is measured: PyTorch, the libraries that are installed here, and the course's own. What is absent is left out."""

from dataclasses import dataclass
from importlib import import_module as theirs

import torch

from ... import hardware
from ... import softmax as course
from ...backend import mode
from ...softmax.choose import Shape, launch_for
from ...softmax.npu import widest_block
from .kernels import copy, late_gpu, launched
from .provenance import version

# The rest is made for GPUs: compilers, libraries, and the launchers that count registers.
ON_NPU = {"copy", "naive", "torch", "row", "softmax"}


@dataclass(frozen=True)
class Provider:
    name: str
    prepare: object  # for one shape: returns the function to time
    package: str = "torch"
    columns: int = 1 << 30  # the most it is asked for


def providers() -> list[Provider]:
    """Everyone who can be measured here."""
    return [each for each in everyone() if version(each.package) and (mode != "npu" or each.name in ON_NPU)]


def everyone() -> list[Provider]:
    """Whoever would be measured if all were installed."""
    whole = widest_block(hardware.here()) if mode == "npu" else 16384  # columns of which one program can hold a row
    return [
        Provider("copy", lambda x: torch.clone if mode == "npu" else copy),
        Provider("naive", lambda x: course.naive_softmax),
        Provider("torch", lambda x: lambda x: torch.softmax(x, -1)),
        Provider("compile", lambda x: compiled(lambda x: torch.softmax(x, -1))),
        Provider("compile naive", lambda x: compiled(course.naive_softmax), columns=8192),
        Provider("liger", lambda x: theirs("liger_kernel.ops.softmax").LigerSoftmaxFunction.apply, "liger-kernel"),
        Provider("gems", lambda x: lambda x: theirs("flag_gems.ops.softmax").softmax(x, -1), "flag-gems"),
        Provider("quack", lambda x: theirs("quack.softmax").softmax_fwd, "quack-kernels"),
        Provider("flashinfer", _flashinfer, "flashinfer-python"),
        Provider("helion", lambda x: theirs(f"{__package__}.helion_rows").tuned(x), "helion"),
        Provider("tile", lambda x: course.occupancy_softmax, "triton", 32768),
        Provider("row", lambda x: course.row_softmax, "triton", whole),
        Provider("softmax", lambda x: course.softmax, "triton"),
        Provider("softmax late", _late, "triton"),
    ]


def prepared_for(names) -> dict:
    """{name: function} of these providers; what one prepares for an input it prepares when it is first called."""
    torch._dynamo.reset()
    return {each.name: at_the_first_call(each.prepare) for each in providers() if each.name in names}


def at_the_first_call(prepare):
    made = []

    def function(x):
        if not made:
            made.append(prepare(x))
        return made[0](x)

    return function


def compiled(function, **options):
    torch._dynamo.config.recompile_limit = 1000  # of one function: a shape is one
    return torch.compile(function, dynamic=False, **options)


def _flashinfer(x):
    if x.dtype != torch.float32:
        raise TypeError("flashinfer writes float32, whatever it reads")
    softmax = theirs("flashinfer.sampling").softmax
    return lambda x: softmax(x, enable_pdl=True)


def _late(x):
    """`softmax` that waits until the kernel before it is done, as the others do."""
    launch = launch_for(Shape(*x.shape, x.element_size(), x.stride(0)), late_gpu())
    return launched(launch) if launch else course.softmax
