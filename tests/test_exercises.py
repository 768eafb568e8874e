"""Every exercise: the untouched stub, the notebook's own answer, wrong answers, and code that does its worst."""

import linecache
import math
import re
import textwrap
import time

import pytest
from course import NOTEBOOKS, read, tags
from right_answers import RIGHT
from wrong_answers import nb00, nb01, nb02, nb03, nb04, nb05, nb06, nb11

from course_utils.exercises import engine
from course_utils.exercises.prediction import Prediction

WRONG = {
    "00": nb00.WRONG,
    "01": nb01.WRONG,
    "02": nb02.WRONG,
    "03": nb03.WRONG,
    "04": nb04.WRONG,
    "05": nb05.WRONG,
    "06": nb06.WRONG,
    "11": nb11.WRONG,
}
PREAMBLE = "import math\nfrom statistics import median\nimport torch\nfrom course_utils.backend import tl, triton\n"


def define(source: str) -> dict:
    """What a notebook's namespace holds after a cell with this source has run."""
    filename = f"<cell {abs(hash(source))}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    namespace = {"__name__": "__main__"}
    exec(PREAMBLE, namespace)
    exec(compile(source, filename, "exec"), namespace)
    return namespace


def exercises():
    """Every exercise as its notebook shows it: the stub, the check's id, the answer."""
    for path in NOTEBOOKS:
        cells = read(path).cells
        for position, cell in enumerate(cells):
            if cell.cell_type == "code" and "exercise" in tags(cell):
                identifier = re.search(r'check\("(.*?)"\)', cells[position + 1].source)[1]
                answer = re.search(r"```python\n(.*?)\n```", cells[position + 2].source, flags=re.S)[1]
                yield identifier, cell.source, answer


EXERCISES = list(exercises())
IDS = [identifier for identifier, _, _ in EXERCISES]


def wrong_answers():
    for identifier, stub, _ in EXERCISES:
        notebook, _, name = identifier.partition(".")
        signature = re.search(r"^def .*?:\n(?=    )", stub, flags=re.M | re.S)[0]
        for body, said in WRONG[notebook][name].items():
            whole = body if re.match(r"@|def ", body) else signature + textwrap.indent(body, "    ") + "\n"
            yield pytest.param(identifier, whole, said, id=f"{identifier}-{said or 'error'}")


def test_every_exercise_is_asked_once_and_has_wrong_answers():
    known = [f"{notebook}.{name}" for notebook in WRONG for name in engine.importlib.import_module(
        f"course_utils.exercises.nb{notebook}").EXERCISES]  # fmt: skip
    assert sorted(IDS) == sorted(known)
    for identifier in IDS:
        notebook, _, name = identifier.partition(".")
        assert len(WRONG[notebook][name]) >= 3, identifier


@pytest.mark.parametrize(("identifier", "stub", "answer"), EXERCISES, ids=IDS)
def test_stub_and_answer(identifier, stub, answer):
    assert engine.judge(identifier, define(stub)).status == "not yet"
    verdict = engine.judge(identifier, define(answer))
    assert verdict.status == "right", verdict


@pytest.mark.parametrize(
    ("identifier", "source"), [(identifier, source) for identifier in RIGHT for source in RIGHT[identifier]]
)
def test_right_answers_written_otherwise_are_taken(identifier, source):
    verdict = engine.judge(identifier, define(source))
    assert verdict.status == "right", verdict


@pytest.mark.parametrize(("identifier", "source", "said"), list(wrong_answers()))
def test_wrong_answers_are_refused_with_the_reason(identifier, source, said):
    verdict = engine.judge(identifier, define(source))
    assert verdict.status == "wrong", verdict
    assert said in verdict.text.en, verdict
    assert re.search("[\u4e00-\u9fff]", verdict.text.zh), verdict


HOSTILE = {
    "endless loop": "while True:\n        pass",
    "exit": "import os; os._exit(0)",
    "segfault": "import ctypes; ctypes.string_at(0)",
    "endless output": "while True:\n        print('x' * 1000)",
    "wrong arguments": "return x(1, 2, 3)",
    "wrong shape": "return x @ x",
    "no such name": "return undefined_name",
    "too deep": "return row_softmax(x)",
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
    verdict = engine.judge("01.row_softmax", define(f"def row_softmax(x):\n    {HOSTILE[what]}\n"))
    assert time.monotonic() - started < 20
    assert verdict.status == "wrong"
    assert verdict.text.zh and verdict.text.en


def test_dots_in_an_index_are_no_stub():
    verdict = engine.judge(
        "00.matrix_bytes",
        define(
            "def matrix_bytes(rows, columns, itemsize):\n    return torch.ones(rows)[..., None].expand(rows, columns).sum() * itemsize\n"
        ),
    )
    assert verdict.status == "right", verdict


def test_after_a_syntax_error_the_old_definition_is_not_judged():
    source = "def matrix_bytes(rows, columns, itemsize):\n    return rows * columns * itemsize\n"
    namespace = define(source)
    assert engine.judge("00.matrix_bytes", namespace | {"In": ["", source]}).status == "right"
    verdict = engine.judge("00.matrix_bytes", namespace | {"In": ["", source, source.replace(":", "", 1), "check()"]})
    assert verdict.status == "wrong" and "line 1" in verdict.text.en and "SyntaxError" in verdict.text.zh


def test_missing_or_odd_names():
    assert engine.judge("01.row_softmax", {}).status == "not yet"
    assert "SyntaxError" in engine.judge("01.row_softmax", {}).text.en
    assert "function" in engine.judge("01.row_softmax", {"row_softmax": 3}).text.en
    assert engine.judge("01.row_softmax", {"row_softmax": len}).status == "wrong"
    with pytest.raises(LookupError, match="没有练习(.|\n)*no exercise"):
        engine.judge("01.nothing", {})


def test_a_verdict_is_bilingual_and_escaped():
    verdict = engine.Verdict("wrong", engine.Text("a<b", "c<d"))
    assert 'lang="zh"' in verdict._repr_html_() and 'lang="en"' in verdict._repr_html_()
    assert "a&lt;b" in verdict._repr_html_() and "a<b" in repr(verdict)


def questions():
    for notebook in WRONG:
        module = engine.importlib.import_module(f"course_utils.exercises.nb{notebook}")
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
    module = engine.importlib.import_module("course_utils.exercises.nb01")
    box = Prediction(module.QUESTIONS["overflow"]).widget()
    listing, (choice, commit), answer = box.children[0], box.children[1].children, box.children[2]
    assert commit.disabled and not answer.value and "你选了" not in listing.value
    choice.value = "A"
    assert not commit.disabled
    commit.click()
    assert "✗" in answer.value and "nan" in answer.value and choice.disabled
    assert math.isnan(module.QUESTIONS["overflow"].measure())
