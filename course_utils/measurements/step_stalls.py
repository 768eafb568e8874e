"""What warps wait for in the steps of 07, and the bytes that reach memory, as `stalls` counts them for whole kernels."""

from . import stalls
from .stalls import Line

DTYPES, STEPS = ("bfloat16", "float32"), ("pieces", "hint", "peeled", "powers")
WIDTHS = (12671, 4097, 12672, 781)


def cases():
    return [{"dtype": dtype, "provider": f"step {step}"} for dtype in DTYPES for step in STEPS]


def measure(dtype, provider):
    yield from stalls.measure(dtype, provider, WIDTHS)


__all__ = ["Line", "cases", "measure"]
