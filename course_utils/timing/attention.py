"""How long attention takes: 16384 tokens and 2048 channels in all, whatever the length and the width of a head."""

from dataclasses import dataclass

from .recorded import DEVICE, rows

TOKENS, CHANNELS = 16384, 2048
LENGTHS = (512, 1024, 2048, 4096, 8192, 16384)
WIDTHS = (64, 128)


@dataclass(frozen=True)
class Attention:
    """One line of the recording, bfloat16. Microseconds, sustained: the median, and the quantiles between which three in five lie."""

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


def recorded(device: str = DEVICE) -> list[Attention]:
    return rows(Attention, "attention", device)
