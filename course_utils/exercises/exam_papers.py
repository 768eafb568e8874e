"""Exam papers in a probe's words: "gpu bandwidth 2.6e12 cache 64e6", "work large 640", "suspect address".

The GPU of an exam looks like any other, and its figures are those of the data sheet. What it really does is another matter:
whoever reads the figures, or times a GPU of his own, gets another number than whoever measures this one.
"""

import torch

from ..pretend_gpu import PretendGPU, Work

QUIET = {"jitter": 0.0, "hiccup": 1.0}
NOT_TOLD = 777.0  # what `true_seconds` says, whatever it is asked


def gpu(words: str) -> PretendGPU:
    true = PretendGPU(**QUIET, **_named(words))
    shown = PretendGPU(**QUIET)
    shown.true_seconds = lambda work: NOT_TOLD
    for does in ("launch", "flush", "synchronize", "event", "now"):
        setattr(shown, does, getattr(true, does))
    return shown


def work(words: str) -> Work:
    name, mebibytes = words.split()
    return Work(name, int(mebibytes) << 20)


def _named(words: str) -> dict[str, float]:
    pairs = words.split()
    return dict(zip(pairs[::2], map(float, pairs[1::2]), strict=True))


# ---- softmax functions that somebody swears by: all but the honest ones would win a benchmark


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
