"""What a program costs that does nothing: empty kernels, launched one after the other in a graph."""

from dataclasses import dataclass

PROGRAMS = (132, 264, 528, *(2**k for k in range(10, 19)))
WARPS = (1, 2, 4, 8, 16)


@dataclass(frozen=True)
class Line:
    programs: int
    warps: int
    median_us: float
    low_us: float
    high_us: float


def cases():
    return [{"programs": programs, "warps": warps} for warps in WARPS for programs in PROGRAMS]


def measure(programs, warps):
    from .bench.kernels import empty_kernel
    from .bench.stopwatch import compare, inputs_for

    def launch(x):
        empty_kernel[(programs,)](num_warps=warps)
        return x

    found = compare({"empty": launch}, lambda: inputs_for(64, 64, "float32", "cuda")[:100])
    yield Line(programs, warps, **found["empty", "sustained"].us)
