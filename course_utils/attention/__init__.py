"""Attention, from the five calls that write an N×N matrix to one kernel that never does.

The formulas of the bytes need no torch, and pictures draw them: so the kernels load when one of their names is first used.
"""

import importlib

from .counts import flash_elements, naive_elements

_HOMES = {
    "absorb": "flash",
    "attention": "flash",
    "decode_attention": "decode",
    "merge_parts_kernel": "decode",
    "part_kernel": "decode",
    "flash_kernel": "flash",
    "settings": "flash",
    "naive_attention": "naive",
}

__all__ = [
    "absorb",
    "attention",
    "decode_attention",
    "flash_elements",
    "flash_kernel",
    "merge_parts_kernel",
    "naive_attention",
    "naive_elements",
    "part_kernel",
    "settings",
]


def __getattr__(name):
    if name in _HOMES:
        return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
