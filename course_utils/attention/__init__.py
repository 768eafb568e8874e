"""Attention, from the five calls that write an N×N matrix to one kernel that never does."""

from .counts import flash_elements, naive_elements
from .flash import attention, flash_kernel, merge, settings
from .fused import scaled_causal_kernel, scaled_causal_softmax
from .naive import naive_attention

__all__ = [
    "attention",
    "flash_elements",
    "flash_kernel",
    "merge",
    "naive_attention",
    "naive_elements",
    "scaled_causal_kernel",
    "scaled_causal_softmax",
    "settings",
]
