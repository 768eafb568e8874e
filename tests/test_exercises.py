"""Every exercise: the untouched stub, the notebook's own answer, wrong answers, and code that does its worst."""

import importlib
import math
import re
import time

import pytest
import torch
from answers import EXERCISES, IDS, RIGHT, WRONG, define, right_answers, wrong_answers
from course import NOTEBOOKS, read, tags

from course_utils.compiler import compile_for
from course_utils.exercises import engine, files
from course_utils.exercises.prediction import Prediction
from course_utils.softmax import row_kernel
from course_utils.traffic import ledger


def modules():
    for path in NOTEBOOKS:
        yield path.stem[:2], importlib.import_module(f"course_utils.exercises.nb{path.stem[:2]}")


def test_every_exercise_is_asked_once():
    graded = [f"{number}.{name}" for number, module in modules() for name in getattr(module, "EXERCISES", {})]
    files_of_their_own = [exercise.identifier for exercise in files.everything()]
    assert sorted(IDS) == sorted(graded + files_of_their_own)
    assert sorted(graded) == sorted(RIGHT) == sorted(WRONG)


@pytest.mark.parametrize("exercise", files.everything(), ids=lambda exercise: exercise.identifier)
def test_a_file_says_what_its_notebook_shows(exercise):
    asked = next(asked for asked in EXERCISES if asked.identifier == exercise.identifier)
    assert asked.stub.strip() == exercise.stub.strip()
    assert asked.answer.strip() == exercise.right.strip()


@pytest.mark.parametrize("identifier", list(RIGHT))
def test_every_exercise_has_enough_answers(identifier):
    assert len(RIGHT[identifier]) >= 2  # and the notebook's own
    assert len(WRONG[identifier]) >= 6
    assert len(set(WRONG[identifier].values())) >= 5, "most mistakes have a message of their own"


def numbered(answers):
    """Parameters for these answers, called by exercise and a running number."""
    count = {}
    for identifier, *rest in answers:
        count[identifier] = count.get(identifier, 0) + 1
        yield pytest.param(identifier, *rest, id=f"{identifier}-{count[identifier]}")


def all_the_way():
    """What has a grader of its own, the kernels, which are compiled as well, and one of every other kind: the rest is `test_kit`'s."""
    kinds = set()
    for asked in EXERCISES:
        kind = getattr(files.read(asked.name), "kind", "kernel")
        if kind == "kernel" or kind not in kinds:
            kinds.add(kind)
            yield asked


@pytest.mark.parametrize("asked", list(all_the_way()), ids=lambda asked: asked.identifier)
def test_stub_and_answer(asked):
    assert engine.judge(asked.identifier, define(asked.stub)).status == "not yet"
    verdict = engine.judge(asked.identifier, define(asked.answer))
    assert verdict.status == "right", verdict


@pytest.mark.parametrize(("identifier", "source"), list(numbered(right_answers())))
def test_right_answers_written_otherwise_are_taken(identifier, source):
    verdict = engine.judge(identifier, define(source))
    assert verdict.status == "right", verdict


@pytest.mark.parametrize(("identifier", "source", "said"), list(numbered(wrong_answers())))
def test_wrong_answers_are_refused_with_the_reason(identifier, source, said):
    verdict = engine.judge(identifier, define(source))
    assert verdict.status == "wrong", verdict
    zh, en = said
    assert zh in verdict.text.zh and en in verdict.text.en, verdict
    assert re.search("[\u4e00-\u9fff]", verdict.text.zh) and verdict.text.en, verdict
    assert re.search("[\u4e00-\u9fff]", verdict.text.zh), verdict
    assert not re.search(r"\b1 (columns|rows|programs|stages|bytes)\b", verdict.text.en), verdict


def test_the_traffic_that_02_asks_for_is_what_the_ledger_counts():
    exercise = files.read("layer_norm_traffic")
    (notebook,) = (read(path) for path in NOTEBOOKS if path.stem.startswith("02_"))
    (cell,) = (cell for cell in notebook.cells if "rsqrt(variance" in cell.source and "en" in tags(cell))
    code = re.search(r"```python\n(.*?)```", cell.source, re.S)[1]
    for rows, columns in (probe.given.values() for probe in exercise.probes):
        x = torch.ones(rows, columns)
        with ledger() as book:
            exec(code, {"torch": torch, "x": x})
        counted = book.totals.read.elements, book.totals.written.elements
        assert counted == define(exercise.right)[exercise.name](rows, columns)


@pytest.mark.parametrize("columns", [1024, 1008, 1004, 781])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_what_A2_says_a_thread_reads_at_once_is_what_the_compiler_makes(columns, dtype):
    asked = define(files.read("elements_at_once").right)["elements_at_once"]
    for warps in (1, 8):
        launch = (dtype, dtype, columns, columns, columns)
        ptx = compile_for(row_kernel, "H200", *launch, BLOCK_SIZE=1024, num_warps=warps).text("ptx")
        ((vector, bits),) = set(re.findall(r"ld\.global(?:\.v(\d))?\.b(\d+)", ptx))
        at_once = int(vector or 1) * int(bits) // (8 * dtype.itemsize)
        assert at_once == asked(columns, dtype.itemsize, 4096, 1024 // (32 * warps))


HOSTILE = {
    "endless loop": "while True:\n        pass",
    "exit": "import os; os._exit(0)",
    "segfault": "import ctypes; ctypes.string_at(0)",
    "endless output": "while True:\n        print('x' * 1000)",
    "wrong arguments": "return x(1, 2, 3)",
    "wrong shape": "return x @ x",
    "no such name": "return undefined_name",
    "too deep": "return masked_softmax(x, keep)",
    "out of bounds": """@triton.jit
    def kernel(p, B: tl.constexpr):
        tl.store(p + 2**40 + tl.arange(0, B), 1.0)
    kernel[(1,)](x, B=8)
    return x""",
}


@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_answers_are_answered_in_time(what, monkeypatch):
    monkeypatch.setattr(engine, "SECONDS", 4)
    started = time.monotonic()
    verdict = engine.judge("01.masked_softmax", define(f"def masked_softmax(x, keep):\n    {HOSTILE[what]}\n"))
    assert time.monotonic() - started < 20
    assert verdict.status == "wrong"
    assert verdict.text.zh and verdict.text.en


def test_dots_in_an_index_are_no_stub():
    verdict = engine.judge(
        "00.best_milliseconds",
        define(
            "def best_milliseconds(nbytes, gigabytes_per_second):\n    return torch.tensor([nbytes])[..., None].sum() / gigabytes_per_second / 1e6\n"
        ),
    )
    assert verdict.status == "right", verdict


def test_after_a_syntax_error_the_old_definition_is_not_judged():
    source = "def best_milliseconds(nbytes, gigabytes_per_second):\n    return nbytes / gigabytes_per_second / 1e6\n"
    namespace = define(source)
    assert engine.judge("00.best_milliseconds", namespace | {"In": ["", source]}).status == "right"
    verdict = engine.judge(
        "00.best_milliseconds", namespace | {"In": ["", source, source.replace(":", "", 1), "check()"]}
    )
    assert verdict.status == "wrong" and "line 1" in verdict.text.en and "SyntaxError" in verdict.text.zh


def test_missing_or_odd_names():
    assert engine.judge("01.masked_softmax", {}).status == "not yet"
    assert "SyntaxError" in engine.judge("01.masked_softmax", {}).text.en
    assert "function" in engine.judge("01.masked_softmax", {"masked_softmax": 3}).text.en
    assert engine.judge("01.masked_softmax", {"masked_softmax": len}).status == "wrong"
    with pytest.raises(LookupError, match="没有练习(.|\n)*no exercise"):
        engine.judge("01.nothing", {})


@pytest.mark.parametrize(
    ("old", "said"),
    [
        ("07.pairs_kernel", "no exercise .* any more"),
        ("04.mended_kernel", "any more"),
        ("07.kept_kernel", "08.kept_kernel now"),
    ],
)
def test_old_names_are_answered(old, said):
    with pytest.raises(LookupError, match=said):
        engine.find(old)


def test_a_verdict_is_bilingual_and_escaped():
    verdict = engine.Verdict("wrong", engine.Text("a<b", "c<d"))
    assert 'lang="zh"' in verdict._repr_html_() and 'lang="en"' in verdict._repr_html_()
    assert "a&lt;b" in verdict._repr_html_() and "a<b" in repr(verdict)


def questions():
    for notebook, module in modules():
        for name, question in module.QUESTIONS.items():
            yield pytest.param(question, id=f"{notebook}.{name}")


@pytest.mark.parametrize("question", list(questions()))
def test_predictions(question):
    prediction = Prediction(question)
    assert 2 <= len(prediction.options) <= 6
    says = [option.says for option in prediction.options]
    assert len(set(says)) == len(says)
    for position, option in enumerate(prediction.options):
        assert option.because.zh and option.because.en
        assert ("✓" in prediction.feedback(position)) == (position == prediction.right)
    bundle = prediction._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert "<details>" in bundle["text/html"] and "model" not in bundle["text/plain"]


def test_a_prediction_waits_for_a_choice():
    module = importlib.import_module("course_utils.exercises.nb01")
    box = Prediction(module.QUESTIONS["overflow"]).widget()
    _, shelf, told = box.children
    assert not told.value and "course-open" in box._dom_classes
    card = shelf.children[0]
    assert card.children[1].description.startswith("A: ") and "你选了" not in card.children[0].value
    card.children[1].click()
    assert "✗" in told.value and "nan" in told.value and "course-open" not in box._dom_classes
    assert "wrong" in card._dom_classes and all(each.children[1].disabled for each in shelf.children)
    assert math.isnan(module.QUESTIONS["overflow"].measure())
