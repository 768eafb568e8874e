"""The exercises of 07_to_the_limit (its questions are in `nb07_questions`)."""

import math

import torch

from ..backend import triton
from ..worker.pupil import Fallen
from .exercise import Exercise
from .kernel_probes import PLAIN, UNTOUCHED, Layout
from .nb07_green import GREEN
from .nb07_launch import Trial, agree, launch, scores, sliced
from .nb07_questions import QUESTIONS
from .nb07_says import SAYS

__all__ = ["EXERCISES", "QUESTIONS"]

# ---- a ragged tail, and no mask in the body


def _tail_kernel(kernel):
    masks = []

    def run(x, block=4, output=PLAIN):
        (n_rows, n_cols), y = x.shape, output.empty(x.shape, x.dtype)
        arguments = (y, x, y.stride(0), x.stride(0), n_cols)
        watch = f"{__package__}.nb07_masks:counting_masks"
        traffic, seen = launch(kernel, n_rows, *arguments, watch=watch, FULL=n_cols // block, BLOCK_SIZE=block)
        masks[:] = seen
        return y, torch.softmax(x.float(), 1), traffic

    trial, x = Trial(kernel, run), scores(2, 8)
    padded = torch.nn.functional.pad(x, (0, 4))
    blocks = x.view(2, 2, 4)
    mistakes = {
        "padding": [torch.softmax(padded, 1)[:, :8]],
        "blocks apart": [torch.softmax(blocks, 2).view(2, 8)],
        "first block again": [torch.softmax(x[:, :4].repeat(1, 2), 1)],
    }
    trial.told_apart(*run(x)[:2], mistakes, "full blocks")

    x = scores(2, 11)
    body, tail = x[:, :8], x[:, 8:]
    got, want, _ = run(x)
    if (got[:, 8:] == UNTOUCHED).all():
        trial.refuse("tail unwritten")
    top = body.amax(1, keepdim=True)
    mistakes = {
        "tail apart": [torch.cat([torch.softmax(body, 1), torch.softmax(tail, 1)], 1)],
        "tail not summed": [torch.exp(x - top) / torch.exp(body - top).sum(1, keepdim=True)],
        "padding": [torch.softmax(torch.nn.functional.pad(x, (0, 1)), 1)[:, :11]],
    }
    trial.told_apart(got, want, mistakes, "tail")
    trial.holds("low", x - 30)
    trial.holds("tall", x + 1000)
    trial.holds("tall tail", torch.cat([body, tail + 200], 1))
    trial.holds("only a tail", scores(3, 3))
    trial.holds("x stride", sliced(x))
    trial.holds("y stride", x, output=Layout(spare=3))
    trial.holds("empty block", torch.cat([torch.full((2, 4), -math.inf), x[:, :7]], 1))
    for columns, block in ((1, 4), (5, 1), (129, 32), (100, 128), (128, 32)):
        trial.holds("blocks", scores(3, columns), block, said={"columns": columns, "block": block})
    trial.holds("half", x.half())
    trial.moves("x_ptr", "loads", 46, "keep row", scores(2, 23))
    trial.moves("y_ptr", "stores", 46, "store once", scores(2, 23))
    if not all(type(each) is int for each in masks):
        raise Fallen("meddled")
    if max(masks) > 2:  # one tail in each of two rows
        trial.refuse("masked")


# ---- softmax of the K largest


def _largest(x, count: int):
    """Softmax over the largest of each row, of equal scores the leftmost, all else 0."""
    places = torch.sort(x.float(), dim=1, descending=True, stable=True).indices[:, :count]
    kept = torch.zeros_like(x, dtype=torch.bool).scatter_(1, places, True)
    return torch.softmax(x.float().masked_fill(~kept, -math.inf), 1)


def _topk_kernel(kernel):
    def run(x, count, output=PLAIN):
        (n_rows, n_cols), y = x.shape, output.empty(x.shape, x.dtype)
        arguments, block = (y, x, y.stride(0), x.stride(0), n_cols), triton.next_power_of_2(n_cols)
        traffic, _ = launch(kernel, n_rows, *arguments, K=count, BLOCK_SIZE=block)
        return y, _largest(x, count), traffic

    trial = Trial(kernel, run)
    x = torch.tensor([[0.5, 2.0, -1.0, 1.0, 3.0, 0.0, 1.5, -2.0], [3.0, -0.5, 0.0, 2.0, 1.0, -3.0, 2.5, 0.5]])
    got, want, _ = run(x, 3)
    if (got == UNTOUCHED).any():
        trial.refuse("others unwritten")
    everything = torch.softmax(x, 1)
    numerators = torch.exp(x - x.amax(1, keepdim=True))
    mistakes = {
        "nothing chosen": [everything],
        "sum of all": [everything * (want > 0)],
        "one too many": [_largest(x, 4)],
        "one too few": [_largest(x, 2)],
        "always the same": [_largest(x, 1)],
        "smallest": [torch.softmax(torch.where(_largest(-x, k) > 0, x, -math.inf), 1) for k in (3, 1)],
        "no quotient": [torch.where(want > 0, numerators, 0)],
        "others at 0": [torch.softmax(torch.where(want > 0, x, 0), 1)],
    }
    trial.told_apart(got, want, mistakes, "choice")
    trial.holds("tall", x + 1000, 3)
    trial.holds("padding", (x - 30)[:, :7].contiguous(), 3)
    ties = torch.tensor([[1.0, 2.0, 2.0, 0.0, 2.0, -1.0, 1.0, 0.5]])
    for count in (2, 4):
        got, want, _ = run(ties, count)
        if not agree(got, want):
            kept = int((got > 0).sum())
            trial.refuse("leftmost" if kept == count else "ties", count=count, kept=kept)
    for count in (1, 8):
        trial.holds("some k", x, count, said={"columns": 8, "count": count})
    trial.holds("x stride", sliced(x), 3)
    trial.holds("y stride", x, 3, output=Layout(spare=3))
    for columns, count in ((1, 1), (33, 5), (100, 2)):
        trial.holds("some k", scores(3, columns), count, said={"columns": columns, "count": count})
    trial.holds("half", x.half(), 3)
    trial.moves("x_ptr", "loads", 16, "keep choosing", x, 3)
    trial.moves("y_ptr", "stores", 16, "store once", x, 3)


EXERCISES = {
    "tail_kernel": Exercise("tail_kernel", _tail_kernel, SAYS["tail_kernel"]),
    "green_kernel": GREEN,
    "topk_kernel": Exercise("topk_kernel", _topk_kernel, SAYS["topk_kernel"]),
}
