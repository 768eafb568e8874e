"""What 05_occupancy_launcher asks: its questions. Its exercises are files (`asked`)."""

from .nb05_questions import QUESTIONS

__all__ = ["QUESTIONS"]
