"""Right answers with one thing changed: the check refuses every one, or it is known to be no mistake, and why."""

import re
import signal
from contextlib import contextmanager

import kit
import pytest
from answers import EXERCISES, define
from mutants import mutants

from course_utils.exercises import engine, files

# The learner chooses inputs, or a rule that is good enough: with something changed, many are as good.
FREE = ("two_inputs", "exposes", "warp_rule", "breaking_turns")
ONE_AXIS = "a block of one dimension has no other axis"
PROMOTED = "the other operand is float32, and so is the result"
NARROW = "not asked here: no probe is that large; `test_exercises` holds the text's own answer to it"
OTHER_NAME = "names the same two cases the other way round; the key is as good"
FIRST = "the first block multiplies it by e to the −inf, which is 0"
ANY_BASE = "where the maximum is −inf, any finite base gives e to the −inf"
TIMES_ZERO = "the other factor is 0 there"
NOT_STORED = "the mask of the store leaves these elements out"
HIDDEN = "these scores are made −inf afterwards"
EMPTY_ROW = "the maximum is −inf only in a row of nothing but −inf, which gives NaN either way"
LATER = "what a chunk takes from beyond its end, the right one writes over later"
PAIRS = "the pairs are float32, and so is what they meet"

# exercise, what stood there, what stands there now, why it makes no difference
EQUAL = [
    ("12.bytes_received", "// P", "/ P", "the columns are dealt evenly: it comes out even"),
    ("12.bytes_received", "rounds = 0", "rounds = -1", "half a rank is fewer than one, and so the loop makes up for it"),
    ("12.least_columns", "N = 1", "N = 2", "a row to be split has two columns at least"),
    ("06.sustained_benchmark", "range(40)", "range(39)", "one launch fewer to fill the cache, which was full before"),
    ("A2.cache_key", "triton.next_power_of_2(x.shape[1]), *map(told, arguments)", "*map(told, arguments), triton.next_power_of_2(x.shape[1])", "the same parts in another order"),
    ("A2.cache_key", "% 16 == 0", "% 16 != 0", OTHER_NAME),
    ("A2.cache_key", "% 16 == 0", "% 16 <= 0", "what remains is never below 0"),
    ("A2.cache_key", "n == 1", "n != 1", OTHER_NAME),
    ("A2.cache_key", "n == 1", "n <= 1", "no stride and no size is below 1 here"),
    ("A2.cache_key", "n >= 2 ** 31", "n < 2 ** 31", OTHER_NAME),
    ("08", "== -float('inf')", "<= -float('inf')", "nothing is below −inf"),
    ("08.kept", "-float('inf'), tl", "float('inf'), tl", "every row has a first block, which is loaded over it"),
    *[(part, "m == -float('inf')", "m <= -float('inf')", "nothing is below −inf") for part in ("09", "12.shard")],
    *[(part, "-float('inf'), 0.0", f"-float('inf'), {one}", ANY_BASE) for part in ("09", "12.shard") for one in ("1.0", "-1.0")],
    ("09.finish", "m == -float('inf')", "m == float('inf')", EMPTY_ROW),
    ("09.finish", ".to(tl.float32)", "", PAIRS),
    ("10.loss_by_words", "(column >= 0) & (column < scores.shape[1])", "column >= 0", LATER),
    ("10.loss_by_words", "column < scores", "column <= scores", LATER),
    ("10.loss_by_words", "[:, 0]", "[:, -1]", "there is one column"),
    ("10.loss_by_words", ", device=x.device", "", "the inputs are on the CPU"),
    *[(kernel, ".to(tl.int64)", "", NARROW) for kernel in ("03.causal", "05.frugal", "07.green", "09", "10", "11", "12.shard")],
    *[(kernel, ".to(tl.float32)", "", PROMOTED) for kernel in ("03", "04", "05.frugal", "08", "07", "09.last", "10", "12.shard")],
    *[(kernel, ", axis=0", "", ONE_AXIS) for kernel in ("03", "04", "05.frugal", "08", "07", "09", "10", "12.shard")],
    *[(kernel, "axis=0", "axis=-1", ONE_AXIS) for kernel in ("03", "04", "05.frugal", "08", "07", "09", "10", "12.shard")],
    *[("11", f"({vector}, axis=0)", f"({vector})", ONE_AXIS) for vector in ("scores", "p")],
    *[("11", f"({vector}, axis=0)", f"({vector}, axis=-1)", ONE_AXIS) for vector in ("scores", "p")],
    ("10.in_place", ", other=0.0", "", NOT_STORED),
    *[
        change
        for one in ("1.0", "-1.0")
        for change in (
            ("08", "0.0, tl.float32", f"{one}, tl.float32", FIRST),
            ("08", "-float('inf'), 0.0", f"-float('inf'), {one}", ANY_BASE),
            ("10.in_place", "0.0, tl.float32", f"{one}, tl.float32", FIRST),
            ("10.wide", "other=0.0", f"other={one}", TIMES_ZERO),
            ("10.in_place", "other=0.0", f"other={one}", NOT_STORED),
            ("11", "other=0.0", f"other={one}", HIDDEN + ", and their weight is 0"),
        )
    ],
    ("11", "(k_ptr + places, mask=inside[:, None], other=0.0)", "(k_ptr + places, mask=inside[:, None])", HIDDEN),
]  # fmt: skip


def known_equal(identifier: str, difference: str) -> bool:
    old, _, new = difference.removeprefix("- ").partition(" / + ")
    return any(
        old[: place.start()] + now + old[place.end() :] == new
        for which, was, now, _ in EQUAL
        if identifier.startswith(which)
        for place in re.finditer(re.escape(was), old)
    )


@contextmanager
def an_end():
    """Some loop for ever: after a second of computing it is no right answer."""

    def stop(*_):
        raise TimeoutError

    signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, 1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def passes(asked, source: str) -> bool:
    """What is judged by its file is run here, to the first probe on which it differs; the compiler is asked of the rest."""
    if exercise := files.read(asked.name):
        with an_end():
            if not kit.alike(exercise, source, exercise.right, "near") or "right" not in kit.judged(exercise, source):
                return False
    return engine.judge(asked.identifier, define(source)).status == "right"


@pytest.mark.deep
@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    "asked", [asked for asked in EXERCISES if asked.name not in FREE], ids=lambda asked: asked.identifier
)
def test_no_mutant_of_the_answer_passes(asked, monkeypatch):
    monkeypatch.setattr(engine, "SECONDS", 5)
    passed = [
        difference
        for difference, source in mutants(asked.answer).items()
        if not known_equal(asked.identifier, difference) and passes(asked, source)
    ]
    assert not passed, "\n".join(passed)
