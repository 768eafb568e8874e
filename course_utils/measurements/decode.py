"""Attention of one query over a long past: the course's two kernels beside PyTorch's backends, and one reading of K and V.

32 query heads share 8 heads of keys and values of 128 channels, in bfloat16.
"""

import os
from dataclasses import dataclass

from .bench.experiment import Note, provenance, recorded
from .bench.stopwatch import APART, ONLY_COMPILES, compare

BATCHES = (1, 8, 64)
LENGTHS = (4096, 8192, 16384, 32768, 65536, 131072)
HEADS, SHARED, D = 32, 8, 128
TILES = ((64, 4, 3), (64, 4, 2), (32, 4, 4), (128, 8, 2), (128, 4, 2))  # keys, warps, stages
PROGRAMS = (2, 3, 4, 8, 16)  # of a multiprocessor, in all
BACKENDS = ("default", "flash", "cudnn")
H100 = "h100-80gb-hbm3"
COMPILES = True


@dataclass(frozen=True)
class Line:
    """Microseconds, sustained: the median, and the lowest and highest."""

    provider: str
    batch: int
    n: int
    parts: int  # of the keys of a head; 0 where others choose
    keys: int  # of a tile, likewise
    warps: int
    stages: int
    median_us: float
    low_us: float
    high_us: float

    @property
    def bandwidth(self) -> float:
        """GB/s over K and V, read once."""
        return bytes_of(self.batch, self.n) / self.median_us / 1e3


def bytes_of(batch: int, n: int) -> int:
    return 2 * batch * SHARED * n * D * 2


def cases():
    return [{"batch": batch, "n": n} for n in LENGTHS for batch in BATCHES]


def measure(batch, n):
    import torch

    if os.environ.get(ONLY_COMPILES) and batch > 1:
        return  # the same kernels, and no memory for all cases at once
    q = torch.randn(batch, HEADS, 1, D, dtype=torch.bfloat16, device="cuda")

    def pasts():
        """Keys and values, as often as they outgrow the cache."""
        count = max(1, min(32, APART // bytes_of(batch, n)))
        shape = 2, batch, SHARED, n, D
        return [torch.randn(shape, dtype=torch.bfloat16, device="cuda") for _ in range(count)]

    functions, refused = _providers(q), {}
    for (way, _), timing in compare(functions, pasts, seconds=0.01, refused=refused).items():
        yield Line(way[0], batch, n, *way[1:], **timing.us)
    for (way, _), error in refused.items():
        yield Note(f"refused, {way[0]}, {type(error).__name__}", f"{batch}x{n}")
    if n == LENGTHS[0]:
        _agree(q, pasts()[0])


def _providers(q) -> dict:
    from functools import partial

    from torch.nn.attention import SDPBackend

    from ..softmax.choose import gpu_of
    from .bench.kernels import read

    others = {"read": read, "default": partial(_theirs, q, None)}
    others["flash"] = partial(_theirs, q, SDPBackend.FLASH_ATTENTION)
    others["cudnn"] = partial(_theirs, q, SDPBackend.CUDNN_ATTENTION)
    functions = {(name, 0, 0, 0, 0): function for name, function in others.items()}
    heads, multiprocessors = len(q) * SHARED, gpu_of(q.device).multiprocessors
    for parts in sorted({1, *(max(1, min(128, each * multiprocessors // heads)) for each in PROGRAMS)}):
        for tile in TILES:
            functions[("course", parts, *tile)] = partial(_ours, q, parts, *tile)
    return functions


def _ours(q, parts, keys, warps, stages, past):
    from ..attention import decode_attention

    return decode_attention(q, *past, parts=parts, COLUMNS=keys, num_warps=warps, num_stages=stages)


def _theirs(q, backend, past):
    from contextlib import nullcontext

    from torch.nn.attention import sdpa_kernel
    from torch.nn.functional import scaled_dot_product_attention

    with sdpa_kernel(backend) if backend else nullcontext():
        return scaled_dot_product_attention(q, *past, enable_gqa=True)


def _agree(q, past) -> None:
    import torch

    from ..attention import decode_attention

    want = _theirs(q.float(), None, past.float())
    torch.testing.assert_close(decode_attention(q, *past).float(), want, atol=2e-3, rtol=2e-2)


def speeds(provider: str, batch: int, parts: int | None = None, device: str = H100) -> dict[int, float]:
    """GB/s by the number of keys."""
    return {n: _line(provider, batch, n, parts, device).bandwidth for n in LENGTHS}


def shares(batch: int, device: str = H100) -> dict[int, float]:
    """The fastest backend's time ÷ the course's, by the number of keys."""
    return {
        n: min(line.median_us for line in recorded("decode", device, provider=BACKENDS, batch=batch, n=n))
        / _line("course", batch, n, None, device).median_us
        for n in LENGTHS
    }


def _line(provider: str, batch: int, n: int, parts: int | None, device: str) -> Line:
    """The course as `decode_attention` launches it, or in so many parts."""
    wanted = {"provider": provider, "batch": batch, "n": n}
    if provider == "course":
        import torch

        from ..attention.decode import decode_settings, parts_of

        chosen = decode_settings(D, torch.bfloat16)
        multiprocessors = int(provenance("decode", device)["multiprocessors"])
        wanted |= {"parts": parts or parts_of(batch * SHARED, n, multiprocessors)}
        wanted |= {"keys": chosen["COLUMNS"], "warps": chosen["num_warps"], "stages": chosen["num_stages"]}
    (line,) = recorded("decode", device, **wanted)
    return line
