"""Softmax functions that somebody swears by, in a probe's words: "suspect address". All but the honest ones would win a benchmark."""

import torch


def suspect(words: str):
    return _kept(KEPT_BY[words]) if words in KEPT_BY else SUSPECTS[words]


def _kept(key):
    """Computes once for each key, and keeps what it has found."""
    known = {}

    def softmax(x):
        if key(x) not in known:
            known[key(x)] = torch.softmax(x, 1)
        return known[key(x)].clone()

    return softmax


def _by_hand(x):
    """Honest too, but for the last bits."""
    numerator = torch.exp2((x - x.max(1, keepdim=True)[0]) * 1.4426950408889634)
    return numerator * (1 / numerator.sum(1, keepdim=True))


def _no_maximum(x):
    numerator = torch.exp(x)
    return numerator / numerator.sum(1, keepdim=True)


KEPT_BY = {"address": lambda x: x.data_ptr(), "shape": lambda x: x.shape}
SUSPECTS = {
    "honest": lambda x: torch.softmax(x, 1),
    "by hand": _by_hand,
    "no maximum": _no_maximum,
    "in place": lambda x: x.copy_(torch.softmax(x, 1)),  # right, once: the result lies where the input was
    "rounded": lambda x: torch.softmax(x, 1).half().float(),
}
