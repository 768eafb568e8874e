"""python -m course_tools.grading.classroom 01 03 > classroom.yml: a workflow for GitHub Classroom, a point for each exercise.

It goes to .github/workflows/ of the repository that Classroom copies for everyone: this one, its notebooks replaced by the
handouts without answers. GitHub's own two actions run a command for each exercise and report the points.
"""

import sys

from .handed_in import exercises

_HEAD = """\
name: Autograding
on: [push, workflow_dispatch, repository_dispatch]
permissions: {checks: write, actions: read, contents: read}
jobs:
  run-autograding-tests:
    runs-on: ubuntu-latest
    if: github.actor != 'github-classroom[bot]'
    timeout-minutes: 30
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with: {python-version: "3.12"}
      - name: The course, with a torch for CPUs
        run: |
          pip install torch --index-url https://download.pytorch.org/whl/cpu
          pip install .
"""
_STEP = """\
      - name: {exercise}
        id: {step}
        uses: classroom-resources/autograding-command-grader@v1
        with: {{test-name: "{exercise}", command: "python -m course_tools.grading notebooks --require {exercise}", timeout: 2, max-score: 1}}
"""
_REPORT = """\
      - name: The points
        uses: classroom-resources/autograding-grading-reporter@v1
        env:
{results}
        with: {{runners: "{steps}"}}
"""


def workflow(numbers: list[str]) -> str:
    asked = [f"{number}.{name}" for number in numbers for name in exercises(number)]
    steps = {exercise: f"exercise-{exercise.replace('.', '-')}" for exercise in asked}
    results = [f'          {step.upper()}_RESULTS: "${{{{steps.{step}.outputs.result}}}}"' for step in steps.values()]
    graded = [_STEP.format(exercise=exercise, step=step) for exercise, step in steps.items()]
    return _HEAD + "".join(graded) + _REPORT.format(results="\n".join(results), steps=",".join(steps.values()))


if __name__ == "__main__":
    print(workflow(sys.argv[1:]), end="")
