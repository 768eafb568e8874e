"""The last layer of a language model and its loss, forwards and backwards: how long, and how much memory at most."""

import gc
from functools import partial
from importlib import import_module

import torch
from torch.nn.functional import cross_entropy, linear

from ..softmax.linear_loss import linear_loss
from .bench import Note, Timing, timed_line
from .bench.peers import compiled

HIDDEN = 4096
RUNS = 5
CASES = [{"tokens": 32768, "words": 131072}]
# bfloat16; the most memory in use, beyond x, the weight and targets
Line = timed_line(provider=str, tokens=int, words=int, peak_mib=float)


def measure(tokens, words):
    torch.manual_seed(0)
    options = {"dtype": torch.bfloat16, "device": "cuda", "requires_grad": True}
    x = torch.randn(tokens, HIDDEN, **options)
    weight = torch.nn.Parameter(torch.randn(words, HIDDEN, **options).detach() / HIDDEN**0.5)
    target = torch.randint(words, (tokens,), device="cuda")
    torch._dynamo.reset()
    providers = {"torch": _plain, "compile": compiled(_plain), "course": linear_loss}
    providers |= {"liger": partial(_liger, None), "liger float32": partial(_liger, torch.float32)}
    for name, loss_of in providers.items():
        try:
            timing, peak = _measured(loss_of, x, weight, target)
            yield Line(name, tokens, words, round(peak / 2**20, 1), **timing.us)
        except Exception as error:  # of every kind: not installed, or out of memory
            yield Note(f"refused, {name}, {type(error).__name__}", f"{tokens}x{words}")
        gc.collect()
        torch.cuda.empty_cache()


def _measured(loss_of, x, weight, target) -> tuple[Timing, int]:
    def run():
        return torch.autograd.grad(loss_of(x, weight, target), (x, weight))

    run()  # compiles
    torch.cuda.synchronize()
    base = torch.cuda.memory_allocated()
    torch.cuda.reset_peak_memory_stats()
    run()
    peak = torch.cuda.max_memory_allocated() - base
    times = []
    for _ in range(RUNS):
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        run()
        end.record()
        end.synchronize()
        times.append(1e-3 * start.elapsed_time(end))
    return Timing.of(times), peak


def _plain(x, weight, target):
    return cross_entropy(linear(x, weight), target)


def _liger(sums, x, weight, target):
    """The gradient of the weight summed up in the type of the weight, as they do unless told, or in this one."""
    loss = import_module("liger_kernel.ops.fused_linear_cross_entropy").LigerFusedLinearCrossEntropyFunction
    return loss.apply(x, weight, target, None, None, -100, 0.0, 0.0, "mean", None, False, sums)[0]
