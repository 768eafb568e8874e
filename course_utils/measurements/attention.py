"""How long causal attention takes: 16384 tokens and 2048 channels in all, whatever the length and the width of a head."""

from functools import partial

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention

from ..attention import attention, naive_attention
from .bench import compare, every, timed_line

TOKENS, CHANNELS = 16384, 2048
WRITTEN = 4096  # the longest sequence whose scores are written out: they take seconds to measure, and show nothing new
CASES = every(d=(64, 128), n=(512, 1024, 2048, 4096, 8192, 16384), causal=(1,))
COMPILES = True


class Line(timed_line(provider=str, heads=int, n=int, d=int, causal=int)):
    """bfloat16, sustained; `heads` over all sequences."""

    @property
    def teraflops(self) -> float:
        """Two products of 2·N²·d each, of which the mask hides half."""
        return 2 * self.heads * self.n**2 * self.d / self.median_us / 1e6


def measure(n, d, causal):
    def tensors():
        """Queries, keys and values of as many heads as make up the tokens; three times, to take turns."""
        shape = 3, TOKENS // n, CHANNELS // d, n, d
        return [torch.randn(shape, dtype=torch.bfloat16, device="cuda") for _ in range(3)]

    functions = {
        "course": lambda qkv: attention(*qkv, causal=True),
        "flash": partial(_by_torch, SDPBackend.FLASH_ATTENTION),
        "cudnn": partial(_by_torch, SDPBackend.CUDNN_ATTENTION),
    }
    if n <= WRITTEN:
        functions["naive"] = lambda qkv: naive_attention(*qkv, causal=True)
    for (name, _), timing in compare(functions, tensors).items():
        yield Line(name, TOKENS * CHANNELS // (n * d), n, d, causal, **timing.us)


def _by_torch(backend, qkv):
    with sdpa_kernel(backend):
        return scaled_dot_product_attention(*qkv, is_causal=True)
