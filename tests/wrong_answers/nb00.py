"""Plausible wrong answers to the exercises of 00_start_here: {exercise: {answer: what the check must say, zh and en}}."""

WRONG = {}
