"""The exercises of 11_attention (its questions are in `nb11_questions`, the other graders beside it)."""

import torch

from .exercise import Exercise
from .kernel_probes import UNTOUCHED
from .nb11_causal import cached_causal_kernel
from .nb11_launch import close, launch, told_apart
from .nb11_merge import attention, check_merge
from .nb11_merge_says import MERGE
from .nb11_questions import QUESTIONS
from .nb11_says import SAYS
from .nb11_tile import best_tile
from .trials import Trial, within

__all__ = ["EXERCISES", "QUESTIONS"]

# ---- one row of attention, with the running merge


def _attention_row_kernel(kernel):
    def run(q, k, v, scale):
        o = torch.full_like(q, UNTOUCHED)
        return launch(kernel, (len(q),), o, q, k, v, len(k), scale, D=q.shape[1], BLOCK=4)

    trial = Trial(run, attention, (MERGE, SAYS), close)
    got, want, (q, k, v) = check_merge(trial, ((3, 8), (14, 8), (14, 8)), block=4, readings=3)
    if not close(got, want):
        raise trial.wrong("row 0 alone" if close(got[0], want[0]) else "rows")
    steep = [(x * size).bfloat16() for x, size in ((q, 6), (k, 3), (v, 1))]
    trial.holds("half", *steep, 0.3, agree=within(2e-2, 2e-2))


# ---- grouped query heads

GROUP, D = 16, 32


def _grouped_kernel(kernel):
    def run(q, k, v, scale):
        heads = q.reshape(-1, D)
        o = torch.full_like(heads, UNTOUCHED)
        _, traffic = launch(kernel, (len(k),), o, heads, k, v, k.shape[1], scale, GROUP=GROUP, D=D, BLOCK=16)
        return o.reshape(q.shape), traffic

    trial = Trial(run, attention, (MERGE, SAYS), close)
    got, want, (q, k, v) = check_merge(trial, ((3, GROUP, D), (3, 40, D), (3, 40, D)), block=16, readings=1)
    if not close(got, want):
        told_apart(trial, got, _of_other_heads(q, k, v), want)
        raise trial.wrong("groups")
    apart = torch.ones_like(q) * torch.linspace(-6, 6, GROUP)[:, None]
    trial.holds("maximum of the group", apart, torch.ones_like(k), v, 1.0, agree=within(1e-3, 1e-3))


def _of_other_heads(q, k, v) -> list:
    turned = q.reshape(GROUP, 3, D).transpose(0, 1)
    return [
        ("heads woven", attention(turned, k, v, 0.5).transpose(0, 1).reshape(q.shape)),
        ("head 0 for all", attention(q, k[:1], v[:1], 0.5)),
    ]


EXERCISES = {
    name: Exercise(name, grader, SAYS[name])
    for name, grader in {
        "cached_causal_kernel": cached_causal_kernel,
        "attention_row_kernel": _attention_row_kernel,
        "grouped_kernel": _grouped_kernel,
        "best_tile": best_tile,
    }.items()
}
