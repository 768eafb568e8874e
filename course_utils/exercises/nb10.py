"""What 10_training asks: its questions. Its exercises are files (`asked`)."""

from .nb10_questions import QUESTIONS

__all__ = ["QUESTIONS"]
