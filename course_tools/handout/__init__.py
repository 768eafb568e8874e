"""Handouts of the course for a class: one language or both, with or without answers; and slides.

python -m course_tools.handout --lang zh --no-answers handout/
"""
