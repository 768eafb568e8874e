"""Triton's interpreter, watched: every launch, program and memory access of a kernel, told to whoever listens."""

from . import repairs
from .interpreter import Listener, is_kernel, listening, redirected, running
