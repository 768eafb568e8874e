"""Who has the operations of training: the course and whoever else. Where two matrices are read, the input is the pair of them."""

import torch

from ... import softmax as course
from ...softmax import losses
from .kernels import add, copy, read
from .peers import at_the_first_call, compiled, theirs
from .provenance import version

IGNORE = -100
ATEN = torch.ops.aten
FLOOR_KERNELS = {(1, 0): read, (1, 1): copy, (2, 1): lambda pair: add(*pair)}


def functions_for(operation: str, floor: tuple[int, int]) -> dict:
    """{name: function}; what one prepares for an input it prepares when it is first called."""
    torch._dynamo.reset()
    present = {name: prepare for name, prepare in EVERYONE[operation].items() if version(PACKAGES.get(name, "torch"))}
    return {"floor": FLOOR_KERNELS[floor]} | {name: at_the_first_call(prepare) for name, prepare in present.items()}


# ---- one input --------------------------------------------------------------------------------------------------------


def _targets(x):
    return torch.arange(len(x), device=x.device) * 7919 % x.shape[1]


def _loss(x, target):
    return torch.nn.functional.cross_entropy(x, target, reduction="none")


def _course_loss(x):
    target = _targets(x)
    return lambda x: losses.losses(x, target, IGNORE, 0.0)


def _quack_loss(x):
    target, quack = _targets(x), theirs("quack.cross_entropy")
    return lambda x: quack.cross_entropy_fwd(x, target, return_lse=True)


def _with_target(function):
    def prepare(x):
        target = _targets(x)
        return lambda x: function(x, target)

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
        dy = ATEN.nll_loss_backward(d, y, target, None, 1, IGNORE, weight.to(y.dtype))
        return ATEN._log_softmax_backward_data(dy, y, -1, y.dtype)

    return backward


def _compiled_loss_backward(x):
    target = _targets(x)[:, None]
    kept = torch.logsumexp(x.float(), dim=1, keepdim=True)
    columns = torch.arange(x.shape[1], device=x.device)

    def backward(x):
        return ((torch.exp(x.float() - kept) - (columns == target).float()) / len(x)).to(x.dtype)

    return compiled(backward)


def _quack_loss_backward(x):
    target, quack = _targets(x), theirs("quack.cross_entropy")
    _, kept = quack.cross_entropy_fwd(x, target, return_lse=True)
    d = torch.full((len(x),), 1 / len(x), device=x.device)
    return lambda x: quack.cross_entropy_bwd(x, target, d, kept)


# ---- two inputs: (dy, y) -----------------------------------------------------------------------------------------------


def _liger_backward(pair):
    liger = theirs("liger_kernel.ops.softmax")
    _, *settings = liger._softmax_forward(pair[1])
    return lambda pair: liger._softmax_backward(pair[0], pair[1], *settings)


def _softmax_gradient(pair):
    dy, y = pair[0].float(), pair[1].float()
    return (y * (dy - (y * dy).sum(-1, keepdim=True))).to(pair.dtype)


def _log_softmax_gradient(pair):
    dy, y = pair[0].float(), pair[1].float()
    return (dy - y.exp() * dy.sum(-1, keepdim=True)).to(pair.dtype)


def _gems(module: str, name: str):
    """Forwards takes x and the dimension; backwards dy, y, the dimension and the type."""

    def prepare(x):
        function = getattr(theirs(f"flag_gems.ops.{module}"), name)
        if name.endswith("backward"):
            return lambda pair: function(pair[0], pair[1], -1, pair.dtype)
        return lambda x: function(x, -1)

    return prepare


PACKAGES = {"liger": "liger-kernel", "gems": "flag-gems", "quack": "quack-kernels"}
EVERYONE = {
    "log_softmax": {
        "torch": lambda x: lambda x: torch.log_softmax(x, -1),
        "compile": lambda x: compiled(lambda x: torch.log_softmax(x, -1)),
        "gems": _gems("log_softmax", "log_softmax"),
        "course": lambda x: course.log_softmax,
    },
    "softmax backward": {
        "torch": lambda x: lambda p: ATEN._softmax_backward_data(p[0], p[1], -1, p.dtype),
        "compile": lambda x: compiled(_softmax_gradient),
        "liger": _liger_backward,
        "gems": _gems("softmax", "softmax_backward"),
        "quack": lambda x: lambda pair: theirs("quack.softmax").softmax_bwd(pair[0], pair[1]),
        "course": lambda x: lambda pair: course.softmax_backward(pair[0], pair[1]),
    },
    "log_softmax backward": {
        "torch": lambda x: lambda p: ATEN._log_softmax_backward_data(p[0], p[1], -1, p.dtype),
        "compile": lambda x: compiled(_log_softmax_gradient),
        "gems": _gems("log_softmax", "log_softmax_backward"),
        "course": lambda x: lambda pair: course.log_softmax_backward(pair[0], pair[1]),
    },
    "cross_entropy": {
        "torch": _with_target(_loss),
        "compile": lambda x: _with_target(compiled(_loss))(x),
        "quack": _quack_loss,
        "course": _course_loss,
    },
    "cross_entropy backward": {
        "torch": _torch_loss_backward,
        "compile": _compiled_loss_backward,
        "quack": _quack_loss_backward,
        "course": _course_loss_backward,
    },
}
