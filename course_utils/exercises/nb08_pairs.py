"""The grader of 08.pairs_kernel: a row is shared among programs, and each leaves the pair (m, s) of its part."""

import torch

from ..backend import triton
from .kernel_probes import UNTOUCHED
from .nb08_merge_says import SHARED
from .nb08_rows import CUT, FALLING, FIRST_EMPTY, INF, LOW, NAN, ONE_BLOCK, RISING, Watch, unrepaired, watched
from .nb08_says import SAYS
from .probes import close
from .trials import Trial, noise, within

TRAPS = [  # a key, an input, how many parts
    ("tall", RISING + 1000, 2),
    ("falling", FALLING, 2),
    ("padding", LOW, 2),
    ("x stride", CUT, 2),
    ("empty block", FIRST_EMPTY, 3),
    ("more parts than blocks", RISING[:, :6].contiguous(), 5),
    ("nan", torch.tensor([[1.0, 2.0, 0.0, 1.0, NAN, 3.0, 2.0]]), 2),
]


def pairs_kernel(kernel):
    def run(x, parts, block=4):
        pairs = torch.full((len(x), parts, 2), UNTOUCHED)
        watch = watched(kernel, (len(x), parts), pairs, x, x.stride(0), x.shape[1], BLOCK_SIZE=block)
        _each_block_once(x, parts, watch.loads.total())
        if (pairs == UNTOUCHED).any():
            blocks = triton.cdiv(x.shape[1], block)
            key = "no block, no pair" if blocks < parts else "pairs unwritten"
            raise SHARED.wrong(key, parts=parts, blocks=blocks)
        return pairs, watch

    def right(x):
        return torch.logsumexp(x.float(), 1)

    trial = Trial(run, right, (SHARED, SAYS), lambda pairs, want: close(_whole(pairs), want))
    _one_part(trial)
    trial.holds("three parts", RISING, parts=3)
    for key, x, parts in TRAPS:
        trial.holds(key, x, parts=parts)
    trial.holds("half", RISING.half(), parts=2, agree=lambda pairs, want: within(1e-3)(_whole(pairs), want))
    for columns, parts in ((128, 4), (72, 4), (50, 3), (7, 2)):
        x = noise(2, columns, seed=columns)
        pairs, watch = run(x, parts)
        if not trial.agree(pairs, right(x)):
            raise trial.wrong("sizes", columns=columns, parts=parts)
        _evenly_shared(pairs, watch, columns, parts)


def _whole(pairs):
    """log Σ exp of the rows, out of the pairs of their parts."""
    m, s = pairs[..., 0], pairs[..., 1]
    high = m.amax(1, keepdim=True)
    factor = torch.where(m == -INF, 0.0, torch.exp(m - torch.where(high == -INF, 0.0, high)))
    return high[:, 0] + torch.log((s * factor).sum(1))


def _each_block_once(x, parts: int, loads: int) -> None:
    rows, columns = x.shape
    said = {"parts": parts, "rows": rows, "columns": columns, "loads": loads}
    if loads < x.numel():
        raise SHARED.wrong("blocks of nobody", **said)
    if parts > 1 and loads > x.numel():
        raise SHARED.wrong("read again", most=x.numel(), **said)


def _one_part(trial: Trial) -> None:
    x = ONE_BLOCK
    pairs, want = trial(x, parts=1), trial.right(x)
    if not trial.agree(pairs, want):
        s = torch.exp(x - x.amax(1, keepdim=True)).sum(1)
        mistakes = [("not shifted", want), ("not shifted", torch.exp(x).sum(1)), ("log s", torch.log(s))]
        trial.known(pairs[:, 0, 1], mistakes)
        raise trial.wrong("s first" if trial.agree(pairs.flip(2), want) else "one block")
    pairs = trial(RISING, parts=1)
    if not trial.agree(pairs, trial.right(RISING)):
        m, s = unrepaired(RISING)
        raise trial.wrong("repair" if close(_whole(pairs), (m + torch.log(s))[:, 0]) else "one part")


def _evenly_shared(pairs, watch: Watch, columns: int, parts: int) -> None:
    if watch.stores != pairs.numel():
        raise SHARED.wrong("stores")
    most, fair = max(watch.loads.values()), triton.cdiv(triton.cdiv(columns, 4), parts) * 4
    if most > fair:
        raise SHARED.wrong("unfair", columns=columns, parts=parts, most=most, fair=fair)
