"""What 03_masked_row_kernel asks: its questions. Its exercises are files (`asked`)."""

from .nb03_questions import QUESTIONS

__all__ = ["QUESTIONS"]
