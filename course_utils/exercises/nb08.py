"""The exercises of 08_online_softmax (its questions are in `nb08_questions`, one grader beside it)."""

import torch

from ..backend import triton
from ..language import Text
from .exercise import Exercise
from .kernel_probes import PLAIN, UNTOUCHED, Layout
from .nb08_merge import merge_triples
from .nb08_questions import QUESTIONS
from .nb08_rows import (
    CUT,
    FALLING,
    FIRST_EMPTY,
    INF,
    LOW,
    NAN,
    ONE_BLOCK,
    RISING,
    blocks,
    padded,
    unrepaired,
    watched,
)
from .nb08_says import SAYS
from .probes import close
from .trials import Trial, noise, within

__all__ = ["EXERCISES", "QUESTIONS"]


def _in_several_blocks(trial: Trial, by_padding) -> None:
    """Raises the mistake that 12 columns bring out, or 10 or 7. `by_padding`: whether spare places with a score of 0 give this."""
    trial.holds("tall", RISING + 1000)
    trial.holds("falling", FALLING)
    got = trial(LOW)
    if not close(got, trial.right(LOW)):
        raise trial.wrong("padding" if by_padding(got) else "10 columns")
    trial.holds("x stride", CUT)


def _sizes(trial: Trial, sizes) -> None:
    for columns, block in sizes:
        trial.holds("sizes", noise(3, columns, seed=columns), block=block)


# ---- log Σ exp in one reading


def _logsumexp_kernel(kernel):
    def run(x, block=4):
        out = torch.full((len(x),), UNTOUCHED)
        return out, watched(kernel, (len(x),), out, x, x.stride(0), x.shape[1], BLOCK_SIZE=block)

    trial = Trial(run, lambda x: torch.logsumexp(x.float(), 1), (SAYS,))
    _log_of_one_block(trial)
    _log_of_three_blocks(trial)
    _in_several_blocks(trial, lambda got: close(got, torch.logsumexp(padded(LOW), 1)))
    trial.holds("empty block", FIRST_EMPTY)
    trial.holds("empty row", torch.full((1, 6), -INF))
    trial.holds("nan", torch.tensor([[1.0, 2.0, 0.0, 1.0, NAN, 3.0, 2.0, 1.0, 4.0]]))
    _sizes(trial, [(1, 4), (4, 1), (129, 32), (100, 128)])
    trial.holds("half", RISING.half(), agree=within(1e-3))
    x = noise(2, 24, seed=1)
    _, watch = run(x)
    if (loads := watch.loads.total()) != x.numel():
        raise SAYS.wrong("log loads", loads=loads, most=x.numel())
    if watch.stores != 2:
        raise SAYS.wrong("log stores", stores=watch.stores)


def _log_of_one_block(trial: Trial) -> None:
    x = ONE_BLOCK
    got, want, m = trial(x), trial.right(x), x.amax(1)
    if close(got, want):
        return
    s = torch.exp(x - m[:, None]).sum(1)
    mistakes = [
        ("log of base 2", m + torch.log2(s)),
        ("log without maximum", want - m),
        ("sum of exponentials", torch.exp(x).sum(1)),
        ("s alone", s),
        ("m alone", m),
        ("m + s", m + s),
    ]
    trial.known(got, mistakes)
    for key, rows in (("rows unwritten", got == UNTOUCHED), ("first factor", got.isnan()), ("-inf", got == -INF)):
        if rows.any():
            raise trial.wrong(key)
    raise trial.wrong("later rows" if close(got[:1], want[:1]) else "log of one block")


def _log_of_three_blocks(trial: Trial) -> None:
    got = trial(RISING)
    if close(got, trial.right(RISING)):
        return
    m, s = unrepaired(RISING)
    first, _, last = blocks(RISING)
    mistakes = [
        ("repair", (m + torch.log(s))[:, 0]),
        ("first block alone", torch.logsumexp(first, 1)),
        ("last block alone", torch.logsumexp(last, 1)),
    ]
    trial.known(got, mistakes)
    raise trial.wrong("three blocks")


# ---- two readings less one block


def _kept_kernel(kernel):
    def run(x, block=4, output=PLAIN):
        y = output.empty(x.shape, x.dtype)
        return y, watched(kernel, (len(x),), y, x, y.stride(0), x.stride(0), x.shape[1], BLOCK_SIZE=block)

    trial = Trial(run, lambda x: torch.softmax(x.float(), 1), (SAYS,))
    _softmax_of_one_block(trial)
    _softmax_of_three_blocks(trial)
    _in_several_blocks(trial, lambda got: (got.sum(1) < 0.5).all())
    trial.holds("y stride", RISING, output=Layout(spare=3))
    trial.holds("empty block", FIRST_EMPTY)
    special = torch.tensor([[1.0, 2.0, 0.0, 1.0, NAN, 3.0, 2.0], [-INF] * 7, [1.0, INF, 2.0, 0.0, 1.0, 2.0, 3.0]])
    trial.holds("special", special)
    _sizes(trial, [(1, 4), (5, 1), (129, 32), (100, 128), (128, 32)])
    trial.holds("half", RISING.half(), agree=within(2e-3, 1e-4))
    for columns in (24, 22, 4, 3):
        _, watch = run(noise(1, columns, seed=columns))
        _all_but_a_block_twice(watch.loads.total(), columns)
        if watch.stores != columns:
            raise SAYS.wrong("kept stores", columns=columns, stores=watch.stores)


def _all_but_a_block_twice(loads: int, columns: int) -> None:
    most = columns + (triton.cdiv(columns, 4) - 1) * 4
    if loads > most:
        hint = {3 * columns: SAYS["three passes"], 2 * columns: SAYS["last block again"]}.get(loads, Text("", ""))
        raise SAYS.wrong("kept loads", columns=columns, loads=loads, most=most, hint=hint)


def _softmax_of_one_block(trial: Trial) -> None:
    x = ONE_BLOCK
    got, want = trial(x), trial.right(x)
    if close(got, want):
        return
    weights = torch.exp(x - x.amax(1, keepdim=True))
    s = weights.sum(1, keepdim=True)
    trial.known(got, [("times s", weights * s), ("not divided", weights), ("m not subtracted", torch.exp(x) / s)])
    if got.isnan().any():
        raise trial.wrong("first factor")
    raise trial.wrong("later rows" if close(got[:1], want[:1]) else "softmax of one block")


def _softmax_of_three_blocks(trial: Trial) -> None:
    got, want = trial(RISING), trial.right(RISING)
    if (unwritten := (got == UNTOUCHED).any(0)).any():
        raise trial.wrong("block unwritten", number=unwritten.nonzero()[0].item() // 4)
    if close(got, want):
        return
    m, s = unrepaired(RISING)
    apart = torch.cat([torch.softmax(part, 1) for part in blocks(RISING)], 1)
    trial.known(got, [("repair", torch.exp(RISING - m) / s), ("blocks apart", apart)])
    for key, block in (("earlier blocks", slice(8, 12)), ("kept block", slice(0, 8))):
        if close(got[:, block], want[:, block]):
            raise trial.wrong(key)
    raise trial.wrong("three blocks")


EXERCISES = {
    name: Exercise(name, grader, SAYS[name])
    for name, grader in {
        "merge_triples": merge_triples,
        "logsumexp_kernel": _logsumexp_kernel,
        "kept_kernel": _kept_kernel,
    }.items()
}
