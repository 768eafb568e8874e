"""What follows from an exercise's file alone: every right spelling passes, no constant can be guessed, the words are there."""

import re

import pytest
from kit import alike, each, judged, known

from course_utils.exercises import files, judging
from course_utils.exercises.observe import arguments_of
from course_utils.exercises.written import untouched

GUESSES = [64, 128, 1024]  # blocks that one is tempted to write down


@each
def test_every_right_spelling_passes(exercise):
    assert len(exercise.also_right) >= 2
    for source in (exercise.right, *exercise.also_right):
        assert "right" in judged(exercise, source), (source, judged(exercise, source))
    assert not any("raised" in known(exercise.name).seen(exercise.right, k) for k in range(len(exercise.probes)))


@pytest.mark.deep
@each
def test_nothing_that_is_given_can_be_guessed(exercise):
    """Every size, stride and constant takes more than one value, so that none passes as a number."""
    for name, value in guesses(exercise):
        head = re.search(rf"def {exercise.name}\(.*?\):\n", exercise.right, flags=re.S)[0]
        guessed = exercise.right.replace(head, f"{head}    {name} = {value}\n")
        passes = alike(exercise, guessed, exercise.right, "near") and "right" in judged(exercise, guessed)
        assert not passes, f"{name} = {value} passes"


def guesses(exercise) -> set[tuple[str, object]]:
    found = set()
    for probe in exercise.probes:
        if exercise.kind in files.LAUNCHED:
            arguments, constants = arguments_of(probe, exercise)
            plain = [name for name in exercise.parameters if name not in exercise.constants]
            given = dict(zip(plain, arguments)) | constants
        else:
            given = probe.given
        found |= {(name, value) for name, value in given.items() if type(value) in (int, float)}
    return found | {(name, guess) for name in exercise.constants if name.startswith("BLOCK") for guess in GUESSES}


@each
def test_stub_and_words(exercise):
    assert untouched(judging.define(exercise.stub, exercise.name))
    for says in [exercise.praise, *(diff.says for diff in exercise.wrong), *(law.says for law in exercise.laws)]:
        assert re.search("[\u4e00-\u9fff]", says.zh) and not re.search("[\u4e00-\u9fff]", says.en), says
