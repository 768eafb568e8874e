"""Every single run of a measurement, as it came: what a median is made of."""

from dataclasses import dataclass

from .recorded import DEVICE, rows

DTYPE, ROWS, COLUMNS = "float32", 4096, 1024
RUNS = 100
WAYS = {
    "stopwatch": "the host's clock around a launch and a wait; the first launch of all compiles",
    "again": "events around a launch; the same input again and again",
    "clean": "events around a launch, in this state of the cache",
    "dirty": "",
    "hot": "",
    "do_bench": "triton.testing.do_bench, on one input",
}


@dataclass(frozen=True)
class Sample:
    """One run of one provider."""

    provider: str
    way: str  # of measuring, see WAYS
    number: int
    nanoseconds: int


def recorded(device: str = DEVICE) -> list[Sample]:
    return rows(Sample, "samples", device)
