"""Handouts of the course for a class: one language or both, with or without answers; and slides.

python -m course_utils.handout --lang zh --no-answers handout/
"""
