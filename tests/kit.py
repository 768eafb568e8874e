"""Every exercise that is a file, and what its programs do: a program is run once on a probe, whichever test asks."""

import functools

import pytest

from course_utils.exercises import files, judging
from course_utils.exercises.locked import facts_of

EXERCISES = files.everything()
each = pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.identifier)


@functools.cache
def known(name: str) -> judging.Known:
    return judging.Known(files.read(name))


def judged(exercise, source: str) -> dict:
    """What the judge says of a program."""
    ours = known(exercise.name)
    seen = [ours.seen(source, k) for k in range(len(exercise.probes))]
    return judging.judge(exercise, seen, facts_of(judging.define(source, exercise.name)), ours)


def alike(exercise, one: str, other: str, to: str = "apart") -> bool:
    """Stops at the first probe on which they differ."""
    by_rows, seen = "rows" in exercise.settings, known(exercise.name).seen
    near = enumerate(judging.nearness(exercise, probe, to) for probe in exercise.probes)
    return all(judging.same(seen(one, k), seen(other, k), close, by_rows) for k, close in near)
