"""What 11_attention asks: its questions. Its exercises are files (`asked`)."""

from .nb11_questions import QUESTIONS

__all__ = ["QUESTIONS"]
