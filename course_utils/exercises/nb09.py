"""The exercises of 09_one_row_many_sms (its questions are in `nb09_questions`)."""

import math

import torch

from .exercise import Exercise
from .kernel_probes import PLAIN, UNTOUCHED, Layout
from .launching import counted
from .nb09_questions import QUESTIONS
from .nb09_races_says import TURNS_SAY
from .nb09_says import SAYS
from .nb09_turns import outcomes, refuse_races, watched
from .probes import close

__all__ = ["EXERCISES", "QUESTIONS"]

INF, NAN = math.inf, math.nan
RISING = torch.tensor([[0.0, -1.0, 0.5, 1.0, 2.0, 1.5, 3.0, 2.5], [1, 0, 2, 1, 0, 3, 3, 2]])
FALLING = RISING.flip(1)
HALF_EMPTY = torch.tensor([[-INF] * 4 + [1.0, 2.0, 0.0, -1.0]])
ODD = torch.tensor([[0.3, -2.0, 1.0, 0.5, 2.5, 1.0, -0.5]])


def _pairs_of(x, parts, block):
    """What exercise 4 of notebook 07 leaves: the pair of each part."""
    padded = torch.nn.functional.pad(x, (0, parts * block - x.shape[1]), value=-INF).view(len(x), parts, block)
    m = padded.amax(2)
    base = torch.where(m == -INF, 0.0, m)
    return torch.stack([m, torch.exp(padded - base[..., None]).sum(2)], dim=2)


def _agree(got, want) -> bool:
    if got.dtype == torch.float16:
        return torch.allclose(got.float(), want, rtol=2e-3, atol=1e-4)
    return close(got, want)


def _told_apart(got, mistakes, says, otherwise: str) -> None:
    """Raises the mistake that has this result, or else the saying `otherwise`."""
    raise says.wrong(next((key for key, result in mistakes.items() if close(got, result)), otherwise))


# ---- the second of two kernels


def _refuse_strays(kernel, astray, x, y):
    for access in astray:
        if access.tensor not in (kernel.parameter(0), kernel.parameter(1)):
            raise SAYS.wrong("pairs astray", line=access.line)
        if not (x.is_contiguous() and y.is_contiguous()):
            stride = "x_stride" if access.kind == "load" else "y_stride"
            raise SAYS.wrong("stride astray", kind=access.kind, stride=stride)
        raise SAYS.wrong("astray", kind=access.kind, line=access.line)


def _merged(x, ms, ss):
    """The row as softmax, where these are taken for the parts' pairs."""
    m = ms.amax(1, keepdim=True)
    return torch.exp(x - m) / (ss * torch.exp(ms - m)).sum(1, keepdim=True)


def _finish_row_kernel(kernel):
    def run(x, parts=2, block=4, output=PLAIN, programs=None):
        pairs, y = _pairs_of(x.float(), parts, block), output.empty(x.shape, x.dtype)
        arguments = (y, x, pairs, y.stride(0), x.stride(0), x.shape[1])
        traffic, _ = counted(kernel, (len(x), programs or parts), *arguments, PARTS=parts, BLOCK_SIZE=block)
        _refuse_strays(kernel, traffic.astray, x, y)
        if (y == UNTOUCHED).all():
            raise SAYS.wrong("nothing written")
        return y, traffic

    def holds(key, x, *more, output=PLAIN, **said):
        if not _agree(run(x, *more, output=output)[0], torch.softmax(x.float(), 1)):
            raise SAYS.wrong(key, **said)

    x = RISING[:, :4].contiguous()
    got, want = run(x, 1)[0], torch.softmax(x, 1)
    if not close(got, want):
        if close(got[:1], want[:1]):
            raise SAYS.wrong("row 0 alone" if (got[1:] == UNTOUCHED).all() else "row 1")
        top = x.amax(1, keepdim=True)
        total = torch.exp(x - top).sum(1, keepdim=True)
        _told_apart(got, {"no quotient": torch.exp(x - top), "no shift": torch.exp(x) / total}, SAYS, "one part")

    got, want = run(RISING)[0], torch.softmax(RISING, 1)
    if (got == UNTOUCHED).any():
        raise SAYS.wrong("columns unwritten")
    if not close(got, want):
        pairs, top = _pairs_of(RISING, 2, 4), RISING.amax(1, keepdim=True)
        places, first = pairs.flatten(), 2 * torch.arange(2)[:, None] + torch.arange(2)
        mistakes = {
            "part apart": torch.softmax(RISING.view(2, 2, 4), 2).view(2, 8),
            "sums as they are": torch.exp(RISING - top) / pairs[..., 1].sum(1, keepdim=True),
            "sums behind": _merged(RISING, pairs.view(2, 4)[:, :2], pairs.view(2, 4)[:, 2:]),
            "pairs overlap": _merged(RISING, places[first], places[first + 1]),
        }
        _told_apart(got, mistakes, SAYS, "merging")
    holds("falling", FALLING)
    holds("tall", RISING + 1000)
    holds("not full", ODD)
    holds("empty part", HALF_EMPTY)
    holds("x stride", RISING[:, :7])
    holds("y stride", RISING, output=Layout(spare=3))
    if not run(torch.full((1, 8), -INF))[0].isnan().all():
        raise SAYS.wrong("empty row")
    holds("half", RISING.half())
    x = torch.randn(3, 61, generator=torch.Generator().manual_seed(1))
    holds("sizes", x, 4, 16, columns=61, parts=4)
    loads = sum(t.loads for t in run(x, 4, 16)[1].tensors if t.name == kernel.parameter(1))
    if loads > x.numel():
        raise SAYS.wrong("own part", count=loads, most=x.numel())
    if not (run(RISING, programs=1)[0][:, 4:] == UNTOUCHED).all():  # part 0 alone
        raise SAYS.wrong("stripes")


# ---- the last to report


def _sums_apart(x, pairs):
    return x.amax(1) + torch.log(pairs[..., 1].sum(1))


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
    mistakes = {"no maximum": want - top, "no logarithm": torch.exp(want - top)}
    for out in outs:
        if not close(out, want):
            _told_apart(out, mistakes | {"no logarithm": top + torch.exp(want - top)}, TURNS_SAY, "one part")
    run(RISING, 2, 4, 1)  # nobody may wait
    found, outs = run(RISING)
    want = torch.logsumexp(RISING, 1)
    refuse_races(found, kernel.parameter(2))
    if missing(outs):
        raise TURNS_SAY.wrong("nobody is last of two")
    for out in outs:
        if not close(out, want):
            _told_apart(out, {"sums as they are": _sums_apart(RISING, _pairs_of(RISING, 2, 4))}, TURNS_SAY, "two parts")
    for key, x in (
        ("falling", FALLING),
        ("tall", RISING + 1000),
        ("padding", ODD - 30),
        ("empty part is NaN", HALF_EMPTY),
        ("x stride", RISING[:, :7]),
        ("sum of an empty row", torch.full((1, 8), -INF)),
        ("NaN", torch.tensor([[1.0, 2.0, 0.0, NAN, 3.0, 2.0, 1.0, 0.0]])),
        ("half", RISING.half()),
    ):
        share = 1e-3 if x.dtype == torch.float16 else 1e-4
        want = torch.logsumexp(x.float(), 1)
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
    "finish_row_kernel": Exercise("finish_row_kernel", _finish_row_kernel, SAYS["finish_row_kernel"]),
    "last_kernel": Exercise("last_kernel", _last_kernel, SAYS["last_kernel"]),
    "mended_share_kernel": Exercise("mended_share_kernel", _mended_share_kernel, SAYS["mended_share_kernel"]),
}
