"""The exercises of 09_one_row_many_sms (its questions are in `nb09_questions`)."""

import math

import torch

from .exercise import Exercise
from .launch import UNTOUCHED
from .nb09_questions import QUESTIONS
from .nb09_races_says import TURNS_SAY
from .nb09_rows import FALLING, HALF_EMPTY, INF, ODD, RISING, pairs_of, told_apart
from .nb09_says import SAYS
from .nb09_turns import outcomes, refuse_races, watched
from .probes import close

__all__ = ["EXERCISES", "QUESTIONS"]

# ---- the last to report


def _last_kernel(kernel):
    def run(x, parts=2, block=4, places=None):
        out, pairs = torch.full((len(x),), UNTOUCHED), torch.zeros(len(x), parts, 2)
        arrived = torch.zeros(len(x), dtype=torch.int32)
        arguments = (out, pairs, arrived, x, x.stride(0), x.shape[1])
        found = watched(kernel, (len(x), parts), *arguments, places=places, PARTS=parts, BLOCK_SIZE=block)
        if found.deadlock or found.late:
            raise TURNS_SAY.wrong("waits")
        return found, outcomes(found, kernel.parameter(0), (len(x),))

    def missing(outs):
        return not outs or any((out == UNTOUCHED).any() for out in outs)

    x = RISING[:, :4].contiguous()
    found, outs = run(x, 1)
    want, top = torch.logsumexp(x, 1), x.amax(1)
    if any((out == UNTOUCHED).any() and not (out == UNTOUCHED).all() for out in outs):
        raise TURNS_SAY.wrong("one counter")
    if missing(outs):
        raise TURNS_SAY.wrong("nobody is last")
    total = torch.exp(want - top)
    mistakes = [("no maximum", want - top), ("no logarithm", total), ("no logarithm", top + total)]
    for out in outs:
        if not close(out, want):
            told_apart(out, mistakes, TURNS_SAY, "one part")
    run(RISING, 2, 4, 1)  # nobody may wait
    found, outs = run(RISING)
    want = torch.logsumexp(RISING, 1)
    refuse_races(found, kernel.parameter(2))
    if missing(outs):
        raise TURNS_SAY.wrong("nobody is last of two")
    mistakes = [("sums as they are", RISING.amax(1) + torch.log(pairs_of(RISING, 2, 4)[..., 1].sum(1)))]
    for out in outs:
        if not close(out, want):
            told_apart(out, mistakes, TURNS_SAY, "two parts")
    for key, x in (
        ("falling", FALLING),
        ("tall", RISING + 1000),
        ("padding", ODD - 30),
        ("empty part is NaN", HALF_EMPTY),
        ("x stride", RISING[:, :7]),
        ("sum of an empty row", torch.full((1, 8), -INF)),
        ("NaN", torch.tensor([[1.0, 2.0, 0.0, math.nan, 3.0, 2.0, 1.0, 0.0]])),
        ("half", RISING.half()),
    ):
        share, want = 1e-3 if x.dtype == torch.float16 else 1e-4, torch.logsumexp(x.float(), 1)
        if not all(torch.allclose(out, want, rtol=share, atol=1e-6, equal_nan=True) for out in run(x)[1]):
            raise SAYS.wrong(key)
    x = torch.randn(2, 16, generator=torch.Generator().manual_seed(1))
    found, outs = run(x, 4, 4)
    if not all(close(out, torch.logsumexp(x, 1)) for out in outs):
        raise TURNS_SAY.wrong("many parts", parts=4)
    loads = found.moved.get(kernel.parameter(3), (0, 0))[0]
    if loads != x.numel():
        raise TURNS_SAY.wrong("read once", count=loads, most=x.numel())


# ---- three races to mend


def _mended_share_kernel(kernel):
    def run(parts=4, block=2, places=None):
        x = torch.arange(1.0, parts * block + 1)
        y, total, arrived = torch.full_like(x, UNTOUCHED), torch.zeros(1), torch.zeros(1, dtype=torch.int32)
        found = watched(kernel, (parts,), y, total, arrived, x, places=places, PARTS=parts, BLOCK_SIZE=block)
        return found, outcomes(found, kernel.parameter(0), x.shape), x

    found, outs, x = run()
    refuse_races(found, kernel.parameter(2))
    if found.deadlock or found.late:
        raise TURNS_SAY.wrong("never comes")
    if not outs or any((out == UNTOUCHED).any() for out in outs):
        raise TURNS_SAY.wrong("unwritten")
    if not all(close(out, x / x.sum()) for out in outs):
        raise TURNS_SAY.wrong("own total")
    loads = found.moved.get(kernel.parameter(3), (0, 0))[0]
    if loads != x.numel():
        raise TURNS_SAY.wrong("still there", count=loads, most=x.numel())
    found, outs, x = run(8, 1)
    if not all(close(out, x / x.sum()) for out in outs) or not found.clean:
        raise TURNS_SAY.wrong("many parts", parts=8)


EXERCISES = {
    "last_kernel": Exercise("last_kernel", _last_kernel, SAYS["last_kernel"]),
    "mended_share_kernel": Exercise("mended_share_kernel", _mended_share_kernel, SAYS["mended_share_kernel"]),
}
