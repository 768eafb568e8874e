"""What A1_amd_and_ascend asks: its questions. Its exercises are files (`asked`)."""

from .nbA1_questions import QUESTIONS

__all__ = ["QUESTIONS"]
