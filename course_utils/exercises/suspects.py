"""Softmax functions that somebody swears by, in a probe's words: "suspect kept". All but the honest ones would win a benchmark."""

import torch


def suspect(words: str):
    return SUSPECTS[words]()


def _honest(x):
    return torch.softmax(x, 1)


def _by_hand(x):
    """Honest too, but for the last bits."""
    numerator = torch.exp2((x - x.max(1, keepdim=True)[0]) * 1.4426950408889634)
    return numerator * (1 / numerator.sum(1, keepdim=True))


def _kept(key):
    """Computes once for each key, and keeps what it has found."""

    def made():
        known = {}

        def softmax(x):
            if key(x) not in known:
                known[key(x)] = torch.softmax(x, 1)
            return known[key(x)].clone()

        return softmax

    return made


def _no_maximum(x):
    numerator = torch.exp(x)
    return numerator / numerator.sum(1, keepdim=True)


def _in_place(x):
    """Right, once: the result lies where the input was."""
    return x.copy_(torch.softmax(x, 1))


def _rounded(x):
    return torch.softmax(x, 1).half().float()


SUSPECTS = {
    "honest": lambda: _honest,
    "by hand": lambda: _by_hand,
    "address": _kept(lambda x: x.data_ptr()),
    "shape": _kept(lambda x: x.shape),
    "no maximum": lambda: _no_maximum,
    "in place": lambda: _in_place,
    "rounded": lambda: _rounded,
}
