"""What follows from an exercise's file alone: its mistakes are told apart, whoever makes them, and no constant can be guessed."""

import functools
import re

import pytest

from course_utils.exercises import files, judging_kit
from course_utils.exercises.judging import facts_of
from course_utils.exercises.observe import arguments_of, asked, observe

EXERCISES = files.everything()
NAMED = 0.92  # of the mistakes, where they stand in another right spelling
GUESSES = [64, 128, 1024]  # blocks that one is tempted to write down
each = pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.identifier)


@functools.cache
def known(name: str) -> judging_kit.Known:
    return judging_kit.Known(files.read(name))


def judged(exercise, source: str) -> dict:
    program = judging_kit.define(source, exercise.name)
    return judging_kit.judge(exercise, observe(program, asked(exercise), {}), facts_of(program), known(exercise.name))


def alike(exercise, one: str, other: str) -> bool:
    """Stops at the first probe on which they differ."""
    by_rows, seen = "rows" in exercise.settings, known(exercise.name).seen
    near = enumerate(judging_kit.nearness(exercise, probe, "apart") for probe in exercise.probes)
    return all(judging_kit.same(seen(one, k), seen(other, k), close, by_rows) for k, close in near)


def mistakes(exercise) -> list[tuple[files.Diff, str]]:
    """Each mistake, and the right program with it."""
    return [(diff, diff.of(exercise.right)) for diff in exercise.wrong]


@each
def test_every_right_spelling_passes(exercise):
    assert len(exercise.also_right) >= 2
    for source in (exercise.right, *exercise.also_right):
        assert "right" in judged(exercise, source), (source, judged(exercise, source))


@each
def test_every_mistake_applies_and_shows(exercise):
    for diff, program in mistakes(exercise):
        assert program, f"nothing to change: {diff}"
        assert not diff.own or not alike(exercise, program, exercise.right), f"no probe shows it: {diff}"


@each
def test_no_two_sentences_share_a_behaviour(exercise):
    found = mistakes(exercise)
    for k, (diff, program) in enumerate(found):
        for other, another in found[:k]:
            if diff.says != other.says:
                assert not alike(exercise, program, another), f"one behaviour, two sentences:\n{diff}\n{other}"


@each
def test_a_mistake_is_named_in_every_spelling(exercise, monkeypatch):
    monkeypatch.setattr(judging_kit, "PATIENCE", 30)  # on a busy machine, too
    named, missed = 0, []
    for says in {diff.says for diff in exercise.wrong}:
        those = (diff for diff in exercise.wrong if diff.says == says)
        diff = next(
            (diff for diff in those if diff.own or not alike(exercise, diff.of(exercise.right), exercise.right)), None
        )
        for spelling in (exercise.right, *exercise.also_right):
            if diff and (program := diff.of(spelling)) and program != spelling:
                told = judged(exercise, program)
                assert "right" not in told, program
                named += told.get("wrong") == says
                missed += [] if told.get("wrong") == says else [(says.en, str(told), program)]
    assert named >= NAMED * (named + len(missed)), missed


@each
def test_nothing_that_is_given_can_be_guessed(exercise, monkeypatch):
    """Every size, stride and constant takes more than one value, so that none passes as a number."""
    monkeypatch.setattr(judging_kit, "PATIENCE", 0)  # whatever is said of it
    for name, value in guesses(exercise):
        head = re.search(rf"def {exercise.name}\(.*?\):\n", exercise.right, flags=re.S)[0]
        guessed = exercise.right.replace(head, f"{head}    {name} = {value}\n")
        assert "right" not in judged(exercise, guessed), f"{name} = {value} passes"


def guesses(exercise) -> set[tuple[str, object]]:
    found = set()
    for probe in exercise.probes:
        if exercise.kind == "kernel":
            arguments, constants = arguments_of(probe, asked(exercise))
            plain = [name for name in exercise.parameters if name not in exercise.constants]
            given = dict(zip(plain, arguments)) | constants
        else:
            given = probe.given
        found |= {(name, value) for name, value in given.items() if type(value) in (int, float)}
    return found | {(name, guess) for name in exercise.constants if name.startswith("BLOCK") for guess in GUESSES}


@each
def test_stub_and_words(exercise):
    from course_utils.exercises.written import untouched

    assert untouched(judging_kit.define(exercise.stub, exercise.name))
    for says in [exercise.praise, *(diff.says for diff in exercise.wrong), *(law.says for law in exercise.laws)]:
        assert re.search("[\u4e00-\u9fff]", says.zh) and not re.search("[\u4e00-\u9fff]", says.en), says
