"""Hardware in a probe's words: "gpu bandwidth 2.6e12 cache 64e6", "work large 640", "chip sm_90 warps 60".

The GPU of an exam looks like any other, and its figures are those of the data sheet. What it really does is another matter:
whoever reads the figures, or times a GPU of his own, gets another number than whoever measures this one.
"""

from dataclasses import replace

from ..hardware import CHIPS
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


def chip(words: str):
    name, _, figures = words.partition(" ")
    return replace(CHIPS[name], **{figure: int(value) for figure, value in _named(figures).items()})


def _named(words: str) -> dict[str, float]:
    pairs = words.split()
    return dict(zip(pairs[::2], map(float, pairs[1::2]), strict=True))
