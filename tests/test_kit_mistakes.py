"""The known mistakes of an exercise's file: every one shows, they are told apart, and are known whoever makes them."""

import math

import pytest
from kit import EXERCISES, alike, each, judged, known

from course_utils.exercises import files, judging

NAMED = 0.85  # of an exercise's sentences, each in one other right spelling: of all spellings 0.92 and more are named
# One of each kind, and quick: mistakes in every spelling take minutes.
SAMPLE = ("00.best_milliseconds", "01.masked_softmax", "02.layer_norm_traffic", "03.two_inputs", "12.least_columns")


def mistakes(exercise) -> list[tuple[files.Diff, str]]:
    """Each mistake, and the right program with it."""
    return [(diff, diff.of(exercise.right)) for diff in exercise.wrong]


@each
def test_every_mistake_applies_and_shows(exercise):
    for diff, program in mistakes(exercise):
        assert program, f"nothing to change: {diff}"
        assert not diff.own or not alike(exercise, program, exercise.right), f"no probe shows it: {diff}"


@pytest.mark.deep
@each
def test_no_two_sentences_share_a_behaviour(exercise):
    # one change in many may show nothing here; it is never looked for
    found = [each for each in mistakes(exercise) if not alike(exercise, each[1], exercise.right)]
    for k, (diff, program) in enumerate(found):
        for other, another in found[:k]:
            if diff.says != other.says:
                assert not alike(exercise, program, another), f"one behaviour, two sentences:\n{diff}\n{other}"


def names_nothing(exercise, program: str) -> bool:
    """The mistake names what this spelling does not have."""
    return known(exercise.name).seen(program, 0).get("raised", {}).get("type") == "NameError"


def in_other_spellings(exercise):
    """A mistake of every sentence, each in one of the right spellings that have a place for it: they take turns."""
    spellings = [exercise.right, *exercise.also_right]
    for k, says in enumerate({diff.says: None for diff in exercise.wrong}):
        those = (diff for diff in exercise.wrong if diff.says == says)
        diff = next(
            (diff for diff in those if diff.own or not alike(exercise, diff.of(exercise.right), exercise.right)), None
        )
        for spelling in (spellings[(k + turn) % len(spellings)] for turn in range(len(spellings))):
            if diff and (program := diff.of(spelling)) and program != spelling and not names_nothing(exercise, program):
                yield says, program
                break


def single(programs):
    """One mistake is to be known as one: no two together are searched."""
    return lambda exercise: programs(exercise, together=1)


@pytest.mark.parametrize(
    "exercise",
    [
        pytest.param(one, id=one.identifier, marks=[] if one.identifier in SAMPLE else pytest.mark.deep)
        for one in EXERCISES
    ],
)
def test_a_mistake_is_named_in_other_spellings(exercise, monkeypatch):
    monkeypatch.setattr(judging, "PATIENCE", math.inf)  # on a busy machine, too
    monkeypatch.setattr(files.Exercise, "programs", single(files.Exercise.programs))
    named, missed = 0, []
    for says, program in in_other_spellings(exercise):
        told = judged(exercise, program)
        assert "right" not in told, program
        said = "wrong" in told and told["wrong"].en.startswith(says.en)  # lines of a race may follow
        named += said
        missed += [] if said else [(says.en, str(told), program)]
    assert len(missed) <= max(1, (1 - NAMED) * (named + len(missed))), missed
