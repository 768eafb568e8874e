"""What A2_compiled_kernels_and_launches asks: its questions. Its exercises are files (`asked`)."""

from .nbA2_questions import QUESTIONS

__all__ = ["QUESTIONS"]
