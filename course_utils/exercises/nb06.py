"""What 06_benchmark asks: its questions. Its exercises are files (`asked`)."""

from .nb06_questions import QUESTIONS

__all__ = ["QUESTIONS"]
