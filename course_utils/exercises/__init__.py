"""Checks a learner's answer and says, in both languages, what is wrong with it."""

from .engine import check
from .prediction import predict

__all__ = ["check", "predict"]
