"""What 09_one_row_many_sms asks: its questions. Its exercises are files (`asked`)."""

from .nb09_questions import QUESTIONS

__all__ = ["QUESTIONS"]
