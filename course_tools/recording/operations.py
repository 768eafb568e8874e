"""Measures the operations of training, of the course and of whoever else has them."""

import contextlib
import importlib

import torch

from course_utils import softmax as course
from course_utils.softmax import losses
from course_utils.timing.floors import add, copy, read
from course_utils.timing.operations import FLOORS, ROWS, VOCABULARIES, WIDTHS, Operation
from course_utils.timing.stopwatch import inputs_for, measure

from .ahead import compile_ahead
from .providers import version

IGNORE = -100


def measure_operations():
    shapes = [
        (operation, dtype, n) for operation in FLOORS for dtype in ("float32", "bfloat16") for n in widths(operation)
    ]
    compile_ahead(_try_all, shapes)
    for operation, dtype, columns in shapes:
        inputs = _inputs(operation, dtype, columns)
        for provider, prepare in providers(operation).items():
            try:
                timing = measure(prepare(inputs[0]), inputs)
            except Exception as error:
                print(f"refused: {provider}, {operation}, {dtype}, {columns}: {type(error).__name__}", flush=True)
                continue
            times = (round(seconds * 1e6, 3) for seconds in (timing.median, timing.low, timing.high))
            yield Operation(operation, provider, dtype, ROWS, columns, *times)
        del inputs
        torch.cuda.empty_cache()


def widths(operation: str) -> tuple[int, ...]:
    return VOCABULARIES if operation.startswith("cross") else WIDTHS


def providers(operation: str) -> dict:
    """Who has the operation: name and a function that prepares it for an input, which is a pair where two matrices are read."""
    found = {name: prepare for name, (package, prepare) in _EVERYONE[operation].items() if version(package)}
    return {"floor": lambda x: _FLOOR_KERNELS[FLOORS[operation]]} | found


_FLOOR_KERNELS = {(1, 0): read, (1, 1): copy, (2, 1): lambda pair: add(*pair)}


def _inputs(operation: str, dtype: str, columns: int) -> list[torch.Tensor]:
    read_in, _ = FLOORS[operation]
    found = inputs_for(read_in * ROWS, columns, getattr(torch, dtype), "cuda")
    return found if read_in == 1 else [x.view(read_in, ROWS, columns) for x in found]


def _try_all(asked) -> None:
    operation, dtype, columns = asked
    x = torch.zeros(*_inputs(operation, dtype, 16)[0].shape[:-1], columns, dtype=getattr(torch, dtype), device="cuda")
    for name, prepare in providers(operation).items():
        if name != "torch":
            with contextlib.suppress(Exception):
                prepare(x)(x)
                torch.cuda.synchronize()


# ---- one input --------------------------------------------------------------------------------------------------------


def _compiled(function):
    torch._dynamo.reset()
    return torch.compile(function, dynamic=False)


def _targets(x):
    return torch.arange(len(x), device=x.device) * 7919 % x.shape[1]


def _loss(x, target):
    return torch.nn.functional.cross_entropy(x, target, reduction="none")


def _course_loss(x):
    target = _targets(x)
    return lambda x: losses.losses(x, target, IGNORE, 0.0)


def _quack_loss(x):
    target, quack = _targets(x), importlib.import_module("quack.cross_entropy")
    return lambda x: quack.cross_entropy_fwd(x, target, return_lse=True)


def _with_target(function):
    def prepare(x):
        target, chosen = _targets(x), function()
        return lambda x: chosen(x, target)

    return prepare


# ---- cross-entropy backwards: from the scores and what the forward pass kept ---------------------------------------------


def _course_loss_backward(x):
    target = _targets(x)
    _, parts = losses.losses(x, target, IGNORE, 0.0)
    d = torch.full((len(x),), 1 / len(x), device=x.device)
    return lambda x: losses.losses_backward(d, x, target, parts, IGNORE, 0.0)


def _torch_loss_backward(x):
    """As autograd does it: the gradient of the loss, then that of log-softmax. The input stands for what log-softmax gave."""
    target, weight = _targets(x), torch.tensor(float(len(x)), device=x.device)
    d = torch.tensor(1.0, device=x.device).to(x.dtype)

    def backward(y):
        dy = torch.ops.aten.nll_loss_backward(d, y, target, None, 1, IGNORE, weight.to(y.dtype))
        return torch.ops.aten._log_softmax_backward_data(dy, y, -1, y.dtype)

    return backward


def _compiled_loss_backward(x):
    target = _targets(x)[:, None]
    kept = torch.logsumexp(x.float(), dim=1, keepdim=True)
    columns = torch.arange(x.shape[1], device=x.device)

    def backward(x):
        return ((torch.exp(x.float() - kept) - (columns == target).float()) / len(x)).to(x.dtype)

    return _compiled(backward)


def _quack_loss_backward(x):
    target, quack = _targets(x), importlib.import_module("quack.cross_entropy")
    _, kept = quack.cross_entropy_fwd(x, target, return_lse=True)
    d = torch.full((len(x),), 1 / len(x), device=x.device)
    return lambda x: quack.cross_entropy_bwd(x, target, d, kept)


# ---- two inputs: (dy, y) -----------------------------------------------------------------------------------------------


def _liger_backward(pair):
    liger = importlib.import_module("liger_kernel.ops.softmax")
    _, *settings = liger._softmax_forward(pair[1])
    return lambda pair: liger._softmax_backward(pair[0], pair[1], *settings)


def _gems_backward(pair):
    gems = importlib.import_module("flag_gems.ops.softmax").softmax_backward
    return lambda pair: gems(pair[0], pair[1], -1, pair.dtype)


def _gems_log_backward(pair):
    gems = importlib.import_module("flag_gems.ops.log_softmax").log_softmax_backward
    return lambda pair: gems(pair[0], pair[1], -1, pair.dtype)


def _gems_log(x):
    gems = importlib.import_module("flag_gems.ops.log_softmax").log_softmax
    return lambda x: gems(x, -1)


def _quack_backward(pair):
    quack = importlib.import_module("quack.softmax").softmax_bwd
    return lambda pair: quack(pair[0], pair[1])


def _softmax_gradient(pair):
    dy, y = pair[0].float(), pair[1].float()
    return (y * (dy - (y * dy).sum(-1, keepdim=True))).to(pair.dtype)


def _log_softmax_gradient(pair):
    dy, y = pair[0].float(), pair[1].float()
    return (dy - y.exp() * dy.sum(-1, keepdim=True)).to(pair.dtype)


_ATEN = torch.ops.aten
_EVERYONE = {
    "log_softmax": {
        "torch": ("torch", lambda x: lambda x: torch.log_softmax(x, -1)),
        "compile": ("torch", lambda x: _compiled(lambda x: torch.log_softmax(x, -1))),
        "gems": ("flag-gems", _gems_log),
        "course": ("torch", lambda x: course.log_softmax),
    },
    "softmax backward": {
        "torch": ("torch", lambda x: lambda p: _ATEN._softmax_backward_data(p[0], p[1], -1, p.dtype)),
        "compile": ("torch", lambda x: _compiled(_softmax_gradient)),
        "liger": ("liger-kernel", _liger_backward),
        "gems": ("flag-gems", _gems_backward),
        "quack": ("quack-kernels", _quack_backward),
        "course": ("torch", lambda x: lambda pair: course.softmax_backward(pair[0], pair[1])),
    },
    "log_softmax backward": {
        "torch": ("torch", lambda x: lambda p: _ATEN._log_softmax_backward_data(p[0], p[1], -1, p.dtype)),
        "compile": ("torch", lambda x: _compiled(_log_softmax_gradient)),
        "gems": ("flag-gems", _gems_log_backward),
        "course": ("torch", lambda x: lambda pair: course.log_softmax_backward(pair[0], pair[1])),
    },
    "cross_entropy": {
        "torch": ("torch", _with_target(lambda: _loss)),
        "compile": ("torch", _with_target(lambda: _compiled(_loss))),
        "quack": ("quack-kernels", _quack_loss),
        "course": ("torch", _course_loss),
    },
    "cross_entropy backward": {
        "torch": ("torch", _torch_loss_backward),
        "compile": ("torch", _compiled_loss_backward),
        "quack": ("quack-kernels", _quack_loss_backward),
        "course": ("torch", _course_loss_backward),
    },
}
