"""What 12_one_row_many_gpus asks: its questions. Its exercises are files (`asked`)."""

from .nb12_questions import QUESTIONS

__all__ = ["QUESTIONS"]
