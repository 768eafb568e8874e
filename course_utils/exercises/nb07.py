"""What 07_to_the_limit asks: its questions. Its exercises are files (`asked`)."""

from .nb07_questions import QUESTIONS

__all__ = ["QUESTIONS"]
