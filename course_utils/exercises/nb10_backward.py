"""The grader of 10 for softmax taken backwards, of a row wider than a block."""

import torch

from .kernel_probes import UNTOUCHED, Layout
from .nb10_launch import launch
from .nb10_says import BACKWARD, SAYS
from .probes import close
from .row_probes import among
from .trials import Trial, noise, within

BLOCKS = [slice(0, 4), slice(4, 8), slice(8, 12)]


def _launch(kernel, y, dy, block, spare):
    dx = Layout(spare).empty(y.shape, y.dtype)
    return launch(kernel, dx, dx, dy, y, dx.stride(0), dy.stride(0), y.stride(0), y.shape[1], block=block)


def _total(one):
    return one.sum(1, keepdim=True)


def _softmax_gradient(y, dy):
    return y * (dy - _total(y * dy))


def wide_backward_kernel(kernel):
    def run(y, dy, block, spare=0):
        return _launch(kernel, y, dy, block, spare)

    trial = Trial(run, lambda y, dy: _softmax_gradient(y.float(), dy.float()), (BACKWARD, SAYS))
    y, dy = _probabilities(12)
    _in_one_block(trial, y, dy)
    _in_three_blocks(trial, y, dy)
    for columns, block in ((1, 4), (13, 4), (31, 8), (100, 32)):
        y, dy = _probabilities(columns)
        trial.holds("sizes", y, dy, block=block)
    trial.holds("three strides", among(y, 3), among(dy, 5), block=32, spare=2)
    trial.holds("half", y.half(), (dy * 1000).half(), block=32, agree=within(5e-3, 1e-2))
    _, moved = run(y, dy, 32)
    if (read := moved.loads("y_ptr", "dy_ptr")) > 4 * y.numel():
        raise BACKWARD.wrong("loads", times=read / y.numel())


def _probabilities(columns: int):
    return torch.softmax(noise(3, columns), 1), noise(3, columns, seed=1)


def _in_one_block(trial: Trial, y, dy) -> None:
    got, products = trial(y, dy, block=16), y * dy
    mistakes = [
        ("products alone", products),
        ("no y in the sum", y * (dy - _total(dy))),
        ("mean", y * (dy - products.mean(1, keepdim=True))),
        ("sign", y * (dy + _total(products))),
        ("sign", -_softmax_gradient(y, dy)),
        ("exchanged", dy * (y - _total(products))),
        ("no dy in the sum", y * (dy - _total(y))),
        ("no y in front", dy - _total(products)),
    ]
    trial.known(got, mistakes)
    if not got.isfinite().all():
        raise trial.wrong("spare elements")
    if not close(got, trial.right(y, dy)):
        raise trial.wrong("one block", columns=12)


def _in_three_blocks(trial: Trial, y, dy) -> None:
    got, products = trial(y, dy, block=4), y * dy
    first, _, last = BLOCKS
    mistakes = [
        ("blocks apart", torch.cat([_softmax_gradient(y[:, one], dy[:, one]) for one in BLOCKS], 1)),
        ("too early", torch.cat([y[:, one] * (dy[:, one] - _total(products[:, : one.stop])) for one in BLOCKS], 1)),
        ("first block alone", y * (dy - _total(products[:, first]))),
        ("last block alone", y * (dy - _total(products[:, last]))),
    ]
    trial.known(got, mistakes)
    if (got[:, 4:] == UNTOUCHED).all():
        raise trial.wrong("first block written")
    if not close(got, trial.right(y, dy)):
        raise trial.wrong("three blocks")
