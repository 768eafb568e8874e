"""Triton's interpreter, watched: every launch, program and memory access of a kernel, told to whoever listens."""

from . import bfloat16, conditions, patching  # noqa: F401  repairs
from .interpreter import Listener, is_kernel, listening, redirected, running

__all__ = ["Listener", "is_kernel", "listening", "redirected", "running"]
