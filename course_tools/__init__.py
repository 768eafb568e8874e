"""What teachers and maintainers run: installing, executing, handouts, grading, recording. No notebook imports any of it."""
