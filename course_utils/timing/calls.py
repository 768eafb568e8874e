"""What a call costs before the kernel runs: on the host, on the GPU one launch after the other, and out of a CUDA graph."""

from dataclasses import dataclass

from .recorded import DEVICE, rows

ROWS, COLUMNS = 128, 256


@dataclass(frozen=True)
class Call:
    """Microseconds a call.

    host: how long the host is busy with it. queued: many calls in a row, until the GPU has done them all. graph: the same
    calls, recorded once and replayed as a CUDA graph.
    """

    what: str
    way: str
    calls: int
    microseconds: float


def recorded(device: str = DEVICE) -> list[Call]:
    return rows(Call, "calls", device)
