"""The last layer of a language model and its loss, forwards and backwards: how long, and how much memory at most."""

import gc
from dataclasses import dataclass

from .bench.experiment import Note

SHAPES = ((8192, 32768), (8192, 131072), (32768, 131072))  # tokens, words
HIDDEN = 4096
RUNS = 5
ROWS = (1024, 2048, 4096, 8192)  # of a chunk


@dataclass(frozen=True)
class Line:
    """bfloat16. Microseconds: the median, the lowest and the highest. The most memory in use, beyond x, the weight and targets."""

    provider: str
    tokens: int
    words: int
    rows: int  # of a chunk; 0 where others choose
    median_us: float
    low_us: float
    high_us: float
    peak_mib: float

    @property
    def teraflops(self) -> float:
        """Three products of 2·tokens·hidden·words each."""
        return 6 * self.tokens * HIDDEN * self.words / self.median_us / 1e6


def cases():
    return [{"tokens": tokens, "words": words} for tokens, words in SHAPES]


def measure(tokens, words):
    import torch

    torch.manual_seed(0)
    options = {"dtype": torch.bfloat16, "device": "cuda", "requires_grad": True}
    x = torch.randn(tokens, HIDDEN, **options)
    weight = torch.nn.Parameter(torch.randn(words, HIDDEN, **options).detach() / HIDDEN**0.5)
    target = torch.randint(words, (tokens,), device="cuda")
    for (name, rows), loss_of in _providers().items():
        try:
            yield Line(name, tokens, words, rows, **_measured(loss_of, x, weight, target))
        except Exception as error:  # of every kind: not installed, or out of memory
            yield Note(f"refused, {name}, {type(error).__name__}", f"{tokens}x{words}")
        gc.collect()
        torch.cuda.empty_cache()


def _measured(loss_of, x, weight, target) -> dict:
    import torch

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
        times.append(1e3 * start.elapsed_time(end))
    times.sort()
    us = dict(zip(("median_us", "low_us", "high_us"), (times[RUNS // 2], times[0], times[-1])))
    return {name: round(value, 1) for name, value in us.items()} | {"peak_mib": round(peak / 2**20, 1)}


def _providers() -> dict:
    import torch

    from ..softmax.linear_loss import linear_loss
    from .bench.peers import compiled

    torch._dynamo.reset()

    def plain(x, weight, target):
        return torch.nn.functional.cross_entropy(torch.nn.functional.linear(x, weight), target)

    def ours(rows):
        return lambda x, weight, target: linear_loss(x, weight, target, rows=rows)

    return (
        {("torch", 0): plain, ("compile", 0): compiled(plain)}
        | {("liger", 0): _liger(None), ("liger float32", 0): _liger(torch.float32)}
        | {("course", rows): ours(rows) for rows in ROWS}
    )


def _liger(sums):
    """The gradient of the weight summed up in the type of the weight, as they do unless told, or in this one."""

    def loss(x, weight, target):
        from liger_kernel.ops.fused_linear_cross_entropy import LigerFusedLinearCrossEntropyFunction

        chosen = [None, None, -100, 0.0, 0.0, "mean", None, False, sums]
        return LigerFusedLinearCrossEntropyFunction.apply(x, weight, target, *chosen)[0]

    return loss
