"""The exercise of A2_compiled_kernels_and_launches that is no file yet (its questions are in `nbA2_questions`, its grader in `cache_keys`)."""

from ..language import Text
from .cache_keys import cache_key
from .exercise import Exercise
from .nbA2_questions import QUESTIONS

__all__ = ["EXERCISES", "QUESTIONS"]

PRAISE = Text(
    "编译器被告知的，一件不少；它不知道的，一件不多。", "All that the compiler is told, and nothing that it is not."
)
EXERCISES = {"cache_key": Exercise("cache_key", cache_key, PRAISE)}
