"""Right answers with one thing changed: the check refuses every one, or it is known to be no mistake, and why."""

import pytest
from answers import EXERCISES, define
from mutants import mutants

from course_utils.exercises import engine

ONE_AXIS = "a block of one dimension has no other axis"
PROMOTED = "tl.max makes float32 of 16 bits, and what follows is float32"
NARROW = "not asked here: no matrix is that large; `test_model_answers` holds the text's own answer to it"
OTHER_NAME = "names the same two cases the other way round; the key is as good"

# exercise, what stood there, what stands there now, why it makes no difference
EQUAL = [
    ("02.upcast_ratio", "(2 + 2)", "(2 * 2", "2 + 2 is 2 * 2"),
    ("A1.amd_programs", "chip.warps //", "chip.warps / chip.schedulers", "slots are dealt evenly: it comes out even"),
    ("A1.most_warps", "// wave", "/ wave", "powers of two divide evenly, or give less than 1"),
    ("A1.most_warps", "1024", "1025", "no power of two lies between"),
    ("A1.npu_bytes", "widest = 1", "widest = 2", "a block of 2 fits every buffer"),
    ("05.prefetch", "x = x.to(tl.float32)", "", PROMOTED),
    ("05.prefetch", "n_cols, 0)", "n_cols, -1)", "no column is below 0, nor below -1"),
    ("A2.cache_key", "% 16 == 0", "% 16 != 0", OTHER_NAME),
    ("A2.cache_key", "% 16 == 0", "% 16 <= 0", "what remains is never below 0"),
    ("A2.cache_key", "n == 1", "n != 1", OTHER_NAME),
    ("A2.cache_key", "n == 1", "n <= 1", "no stride and no size is below 1 here"),
    ("A2.cache_key", "n >= 2 ** 31", "n < 2 ** 31", OTHER_NAME),
    ("03", "tl.program_id(0).to(tl.int64)", "tl.program_id(0)", NARROW),
    ("04.chunk_kernel", "tl.program_id(0).to(tl.int64)", "tl.program_id(0) *", NARROW),
    *[(kernel, ".to(tl.float32)", "other=-float('inf'))", PROMOTED) for kernel in ("03", "04.chunk", "04.mended")],
    *[
        (kernel, "axis=0", f"tl.{reduce}", ONE_AXIS)
        for kernel in ("03", "04", "05.prefetch")
        for reduce in ("max(x)", "max(x, axis=-1)")
    ],
    *[(kernel, "axis=0", "axis=-1)", ONE_AXIS) for kernel in ("03", "04", "05.prefetch")],
    *[
        (kernel, "axis=0", f"tl.sum({summed})", ONE_AXIS)
        for kernel in ("03", "04", "05.prefetch")
        for summed in ("numerator", "tl.exp(shifted)")
    ],
]


def known_equal(identifier: str, difference: str) -> bool:
    old, _, new = difference.partition(" / + ")
    return any(identifier.startswith(which) and was in old and now in new for which, was, now, _ in EQUAL)


CORE = [
    asked for asked in EXERCISES if asked.identifier < "07" or asked.identifier[0] == "A"
]  # the later ones are not yet held to it


@pytest.mark.deep
@pytest.mark.timeout(900)
@pytest.mark.parametrize("asked", CORE, ids=lambda asked: asked.identifier)
def test_no_mutant_of_the_answer_passes(asked, monkeypatch):
    monkeypatch.setattr(engine, "SECONDS", 5)  # some loop for ever
    passed = [
        difference
        for difference, source in mutants(asked.answer).items()
        if not known_equal(asked.identifier, difference)
        and engine.judge(asked.identifier, define(source)).status == "right"
    ]
    assert not passed, "\n".join(passed)


def test_mutants_are_made():
    source = "def f(x, n):\n    y = x + 1\n    return y if x < n else max(y, n)\n"
    changed = set(mutants(source))
    assert {"- y = x + 1 / + y = x - 1", "- y = x + 1 / + y = x + 2", "- y = x + 1"} <= changed
    assert any("x <= n" in difference for difference in changed)
