"""How long attention takes: 16384 tokens and 2048 channels in all, whatever the length and the width of a head."""

from dataclasses import dataclass

from .bench.experiment import Note

TOKENS, CHANNELS = 16384, 2048
LENGTHS = (512, 1024, 2048, 4096, 8192, 16384)
WIDTHS = (64, 128)
WRITTEN = 4096  # the longest sequence whose scores are written out: they take seconds to measure, and show nothing new
COMPILES = True


@dataclass(frozen=True)
class Line:
    """bfloat16. Microseconds, sustained: the median, and the lowest and highest."""

    provider: str
    heads: int  # over all sequences
    n: int
    d: int
    causal: int
    median_us: float
    low_us: float
    high_us: float

    @property
    def teraflops(self) -> float:
        """Two products of 2·N²·d each, half of them where the mask hides half of the scores."""
        return 4 * self.heads * self.n**2 * self.d / (2 if self.causal else 1) / self.median_us / 1e6


def cases():
    return [{"n": n, "d": d, "causal": causal} for d in WIDTHS for causal in (0, 1) for n in LENGTHS]


def measure(n, d, causal):
    import torch

    def tensors():
        """Queries, keys and values of as many heads as make up the tokens; three times, to take turns."""
        shape = 3, TOKENS // n, CHANNELS // d, n, d
        return [torch.randn(shape, dtype=torch.bfloat16, device="cuda") for _ in range(3)]

    from .bench.stopwatch import compare

    asked = {
        name: function for name, function in _providers(bool(causal)).items() if "naive" not in name or n <= WRITTEN
    }
    refused = {}
    for (name, _), timing in compare(asked, tensors, refused=refused).items():
        yield Line(name, TOKENS * CHANNELS // (n * d), n, d, causal, **timing.us)
    for (name, _), error in refused.items():
        yield Note(f"refused, {name}, {type(error).__name__}", f"{n}x{d}x{causal}")


def _providers(causal: bool) -> dict:
    import torch
    from torch.nn.attention import SDPBackend

    from ..attention import attention, naive_attention

    torch._dynamo.reset()
    compiled = torch.compile(naive_attention, dynamic=False)
    return {
        "course": lambda qkv: attention(*qkv, causal=causal),
        "flash": _backend(SDPBackend.FLASH_ATTENTION, causal),
        "cudnn": _backend(SDPBackend.CUDNN_ATTENTION, causal),
        "naive": lambda qkv: naive_attention(*qkv, causal=causal),
        "compile naive": lambda qkv: compiled(*qkv, causal=causal),
    }


def _backend(which, causal):
    from torch.nn.attention import sdpa_kernel
    from torch.nn.functional import scaled_dot_product_attention

    def function(qkv):
        with sdpa_kernel(which):
            return scaled_dot_product_attention(*qkv, is_causal=causal)

    return function
