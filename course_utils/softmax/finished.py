"""The finished softmax: for every shape the kernel that suits it."""

import contextlib

import torch
from torch.autograd import forward_ad
from torch.compiler import is_dynamo_compiling

from ..backend import mode
from . import tiles
from .choose import choose
from .inputs import as_rows, refuse
from .npu import on_npu
from .split import split

_known: dict[tuple, object] = {}
MOST_KNOWN = 4096  # shapes


def softmax(x):
    """Softmax over the last dimension, as `torch.softmax(x, -1)`.

    Any number of leading dimensions; float32, bfloat16 and float16 (computed in float32), and float64. Rows may lie any one
    distance apart. Columns that are not adjacent in memory, or rows spaced unevenly, cost a copy first: twice the traffic.

    Where a gradient is asked for, and under `torch.compile`, it is the operator of `operators`.

    `x` is read once where a program, or on CUDA a team of programs (see `team`), can hold a row, else twice.
    """
    # The key is all that could ask for another kernel, but for two things: dense rows, and where the pointers point. The rest
    # is what only a closer look may refuse: gradients (of forward mode too), and tensors that lie nowhere.
    try:
        launch = _known[x.dtype, x.shape, x.get_device()]
        known = not is_dynamo_compiling() and (start := x.data_ptr()) and x.is_contiguous() and not x.requires_grad
        known = known and not x.is_neg() and forward_ad._current_level < 0
    except (KeyError, AttributeError, TypeError, RuntimeError):
        known = False
    if known:
        y = torch.empty_like(x)
        if launch(y.data_ptr(), start):
            return y
    refuse(x)
    # Autograd writes the operator down, and the compiler takes it as a whole; it launches `launched`, see `operators`.
    return torch.ops.softmax_course.softmax(x, False) if _asks_for_more(x) else launched(x)


@contextlib.contextmanager
def always_asking_triton():
    """Within the block every launch goes through Triton, known shape or not, so that whoever watches Triton sees it."""
    known = dict(_known)
    _known.clear()
    try:
        yield
    finally:
        _known.update(known)


def _asks_for_more(x) -> bool:
    """Whether somebody follows what happens to `x`: a compiler that traces, or autograd."""
    if torch.compiler.is_compiling():
        return True
    return (x.requires_grad and torch.is_grad_enabled()) or forward_ad._current_level >= 0


def launched(x, log: bool = False):
    """What no call has done before, or what only a closer look can do right; with `log`, the logarithm of softmax."""
    y = torch.empty(x.shape, dtype=x.dtype, device=x.device)
    if not x.numel():
        return y
    rows = as_rows(x)
    out = y.view(rows.shape)
    if mode == "npu":
        on_npu(out, rows, log=log)
        return y
    with tiles.on(x):
        launch = choose(out, rows, log)
        if launch is None:
            split(out, rows, log)
            return y
        launch(out, rows)
    if not log and launch.short and x.is_contiguous() and not x.is_neg():
        if len(_known) >= MOST_KNOWN:
            _known.clear()
        _known[x.dtype, x.shape, x.get_device()] = launch.short
    return y
