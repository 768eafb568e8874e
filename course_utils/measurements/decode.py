"""Attention of one query over a long past: the course's two kernels beside PyTorch's backends, and one reading of K and V.

32 query heads share 8 heads of keys and values of 128 channels, in bfloat16.
"""

import os
from functools import partial

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention

from ..attention import decode_attention
from ..attention.decode import MOST, parts_of
from ..softmax.choose import gpu_of
from .bench import compare, every, read, recorded, timed_line
from .bench.experiment import provenance
from .bench.stopwatch import APART, ONLY_COMPILES

BATCHES = (1, 8, 64)
LENGTHS = (4096, 8192, 16384, 32768, 65536, 131072)
HEADS, SHARED, D = 32, 8, 128
PROGRAMS = (2, 3, 4, 8)  # of a multiprocessor, in all
BACKENDS = {"flash": SDPBackend.FLASH_ATTENTION, "cudnn": SDPBackend.CUDNN_ATTENTION}
CASES = every(n=LENGTHS, batch=BATCHES)
COMPILES = True


class Line(timed_line(provider=str, batch=int, n=int, parts=int)):
    """`parts` of the keys of a head; 0 where others choose."""

    @property
    def bandwidth(self) -> float:
        """GB/s over K and V, read once."""
        return bytes_of(self.batch, self.n) / self.median_us / 1e3


def bytes_of(batch: int, n: int) -> int:
    return 2 * batch * SHARED * n * D * 2


def measure(batch, n):
    if os.environ.get(ONLY_COMPILES) and batch > 1:
        return  # the same kernels, and no memory for all cases at once
    q = torch.randn(batch, HEADS, 1, D, dtype=torch.bfloat16, device="cuda")

    def pasts():
        """Keys and values, as often as they outgrow the cache."""
        count = max(1, min(32, APART // bytes_of(batch, n)))
        shape = 2, batch, SHARED, n, D
        return [torch.randn(shape, dtype=torch.bfloat16, device="cuda") for _ in range(count)]

    functions = {("read", 0): read} | {(name, 0): partial(_by_torch, q, each) for name, each in BACKENDS.items()}
    sms = gpu_of(q.device).multiprocessors
    more = {max(1, min(MOST, each * sms // SHARED)) for each in PROGRAMS if batch == 1}
    for parts in sorted({1, parts_of(batch * SHARED, n, sms)} | more):
        functions["course", parts] = partial(_course, q, parts)
    for ((provider, parts), _), timing in compare(functions, pasts, seconds=0.01).items():
        yield Line(provider, batch, n, parts, **timing.us)


def _course(q, parts, past):
    return decode_attention(q, *past, parts=parts)


def _by_torch(q, backend, past):
    with sdpa_kernel(backend):
        return scaled_dot_product_attention(q, *past, enable_gqa=True)


def speeds(provider: str, batch: int, parts: int | None = None) -> dict[int, float]:
    """GB/s by the number of keys."""
    return {n: _line(provider, batch, n, parts).bandwidth for n in LENGTHS}


def _line(provider: str, batch: int, n: int, parts: int | None = None) -> Line:
    """The course as `decode_attention` launches it, or in so many parts."""
    wanted = {"provider": provider, "batch": batch, "n": n}
    if provider == "course":
        wanted["parts"] = parts or parts_of(batch * SHARED, n, int(provenance("decode")["multiprocessors"]))
    (line,) = recorded("decode", **wanted)
    return line
