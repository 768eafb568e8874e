"""The page's judge says what the notebook's says: the same answers, judged by Python and in a browser, verdict and sentence."""

import json
import math
import re
import time
from collections import Counter

import pytest
from live_answers import HERE, STRANGE, checked, judged, kernel, right, wrong

from course_tools.live import exercises
from course_tools.live.bundle import engine, small
from course_utils.backend import mode
from course_utils.exercises import files, judging

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(mode != "interpreter", reason="the notebook's judge runs kernels in the interpreter here"),
]
ALIKE = 0.98  # of verdicts and sentences

# Where the two differ: words of the answer, and why.
DIFFER = {
    "before = (x[None, :]": "the interpreter's argmax raises on a row of nothing but NaN, as no GPU does; so a known mistake that "
    "leaves its tensor is not known there in a spelling without argmax",
    "...": "each names what is pressed there",
    "raise ValueError": "the page has no exceptions of one's own",
    "except ZeroDivisionError": "nor does it catch them",
    "{M, N}": "it has no sets",
    "1j": "no complex numbers",
    '"M" * 2': "and a text is not repeated",
    "2.0 ** 5000": "a float that is too large is infinite there, as on a GPU",
    "raeds": "the notebook sends only functions that are called, so it has no name to offer",
    "math.exp": "a kernel of the page does not know math; the interpreter fails inside it",
    "“": "the page takes what a phone makes of quotes",
    "    mended_kernel(": "the notebook finds a kernel that calls itself before it runs, and names no line",
}
SMALL = ("merge_triples", "breaking_turns", "two_inputs", "shard_kernel")


@pytest.fixture(scope="module")
def page(browser):
    page = browser.new_page()
    page.add_script_tag(content=small(engine()))
    told = {one.name: exercises.exported(one.name) for one in HERE}
    page.evaluate("told => { window.exercises = told; }", told)
    page.evaluate("() => { Live.settings.seconds = 60; }")
    return page


@pytest.fixture
def check(page):
    def check(name: str, sources: list[str]) -> list[dict]:
        return page.evaluate("([name, all]) => all.map(source => Live.check(exercises[name], source))", [name, sources])

    return check


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """However busy the machine, both judges look through all known mistakes."""
    monkeypatch.setattr(judging, "PATIENCE", math.inf)


@pytest.fixture
def hurried(page):
    page.evaluate("() => { Live.settings.seconds = 2; }")
    return page
    page.evaluate("() => { Live.settings.seconds = 60; }")


def compare(check, chosen: list[tuple[str, list[str]]], notebook=judged) -> tuple[Counter, list[str]]:
    """How many verdicts there are of each kind, how many are alike, sentence and all; and the others, unless they are known."""
    counted, different = Counter(), []
    for name, sources in chosen:
        exercise = files.read(name)
        for source, got in zip(sources, check(name, sources), strict=True):
            want = notebook(exercise, source)
            alike = all(got[key] == want[key] for key in ("status", "zh", "en"))
            counted[want["status"]] += 1
            counted["alike"] += alike
            if not alike and not any(words in source for words in DIFFER):
                different.append(f"{name}\nnotebook: {want}\npage: {got}\n{source}")
    return counted, different


def test_every_exercise_is_judged_here_or_says_why_not():
    for name in exercises.names():
        told, why = exercises.exported(name), exercises.why_not(name)
        assert (told is None) == (why is not None), name
        assert told is None or len(json.dumps(told, ensure_ascii=False).encode()) < 36_000, name


def test_right_programs_are_right_and_do_not_raise(check):
    """A right program that the page could not run would make every other one right that it cannot run."""
    for exercise in HERE:
        told = check(exercise.name, [*right(exercise), exercise.stub])
        assert [each["status"] for each in told] == ["right"] * (len(told) - 1) + ["not yet"], (exercise.name, told)
        for each in told[:-1]:
            assert (each["zh"], each["en"]) == (exercise.praise.zh, exercise.praise.en)


def test_formulas_and_small_kernels(check):
    """Right and wrong answers to all formulas, in several spellings, and to kernels that take little time."""
    chosen = [(one.name, (right(one) + wrong(one))[::2]) for one in HERE if one.kind in ("function", "choice")]
    chosen += [(name, (right(files.read(name)) + wrong(files.read(name)))[::6]) for name in SMALL]
    counted, different = compare(check, chosen)
    answers = counted.total() - counted["alike"]
    assert answers > 100 and counted["right"] > 10
    assert counted["alike"] >= ALIKE * answers, counted
    assert not different, "\n\n".join(different)


@pytest.mark.parametrize(
    "some", [slice(None, None, 9), pytest.param(slice(None), marks=pytest.mark.deep)], ids=["some", "all"]
)
def test_strange_answers(check, hurried, some):
    chosen = [(name, [source]) for name, _, source in STRANGE[some]]
    counted, different = compare(check, chosen, checked)
    assert not different, "\n\n".join(different)
    assert counted["alike"] > 0.9 * len(chosen)


def test_an_input_is_made_as_torch_makes_it(check):
    lines = {
        "a = torch.zeros(3, 8, dtype=torch.float32); a[:, 0] = -500; a[0, 1] = 500; a[1:] = torch.full((8,), -2000.0)": "right",
        "a = torch.zeros(3, 8); a[0] = torch.arange(4)": "The shapes 4 and 8 do not go together",
        "a = torch.cat([torch.zeros(3, 8)])": "torch.cat is unknown here",
        "a = torch.zeros(3, 8, size=1)": "zeros has no argument size",
    }
    told = check("two_inputs", [f"def two_inputs():\n    {line}\n    return a[:, :5], a[:, :5]" for line in lines])
    for said, want in zip(told, lines.values()):
        assert want in (said["status"], *re.findall(re.escape(want), said["en"])), said


@pytest.mark.parametrize(
    "line, said",
    [
        ("while True:\n        pass", "had not ended"),
        ("for i in range(10000000000):\n        x = i", "had not ended"),
    ],
)
def test_a_loop_without_end_ends(check, hurried, line, said):
    source = kernel([("    columns =", f"    {line}\n    columns =")])
    began = time.monotonic()
    [got] = check("mended_kernel", [source])
    assert time.monotonic() - began < 6  # two seconds, on a machine that has time
    assert got["status"] == "wrong" and said in got["en"], got


@pytest.mark.deep
def test_a_check_is_quick_on_a_slow_phone(page):
    """Half a second at a sixth of the speed, once the page has foreseen the mistakes. Processor time: others may be at work here."""
    tool = page.context.new_cdp_session(page)
    tool.send("Performance.enable")

    def processor() -> float:
        return next(
            each["value"] for each in tool.send("Performance.getMetrics")["metrics"] if each["name"] == "ThreadTime"
        )

    def time_of(name: str, source: str) -> float:
        began = processor()
        page.evaluate("([name, source]) => { Live.check(exercises[name], source); }", [name, source])
        return 6 * (processor() - began)

    slow = {}
    for exercise in HERE:
        page.evaluate("name => { while (!Live.foresee(exercises[name])); }", exercise.name)
        for source in (exercise.right, *wrong(exercise)[::60]):
            took = min(time_of(exercise.name, source) for _ in range(3))
            if took > 0.5:
                slow[exercise.name, source] = took
    assert not slow


@pytest.mark.deep
@pytest.mark.parametrize("exercise", HERE, ids=lambda exercise: exercise.identifier)
def test_mistakes_in_every_spelling(check, exercise):
    """One in eight: judging them all takes a quarter of an hour."""
    counted, different = compare(check, [(exercise.name, right(exercise) + wrong(exercise)[::8])])
    answers = sum(counted[status] for status in ("right", "wrong", "not yet"))
    assert len(different) <= max(1, (1 - ALIKE) * answers), "\n\n".join(different)


def test_what_is_foreseen_changes_no_verdict(page, check):
    exercise = files.read("mended_kernel")
    answers = [*right(exercise)[:1], *wrong(exercise)[:6]]
    before = check(exercise.name, answers)
    foreseen = "([name, all]) => { const told = structuredClone(exercises[name]); while (!Live.foresee(told)); return all.map(source => Live.check(told, source)); }"
    assert page.evaluate(foreseen, [exercise.name, answers]) == before
