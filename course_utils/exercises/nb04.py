"""What 04_grid_stride_kernel asks: its questions. Its exercises are files (`asked`)."""

from .nb04_questions import QUESTIONS

__all__ = ["QUESTIONS"]
