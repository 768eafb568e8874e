"""What 08_online_softmax asks: its questions. Its exercises are files (`asked`)."""

from .nb08_questions import QUESTIONS

__all__ = ["QUESTIONS"]
