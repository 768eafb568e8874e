"""Every exercise: the untouched stub, the notebook's own answer, wrong answers, and code that does its worst."""

import re
import time

import pytest
import torch
from answers import EXERCISES, IDS, define
from course import NOTEBOOKS, read, tags

from course_utils.exercises import engine, files, predict, prediction
from course_utils.exercises.measured import FOUND
from course_utils.exercises.mutants import passes
from course_utils.exercises.prediction import Prediction
from course_utils.traffic import ledger


def test_every_exercise_is_asked_once():
    assert sorted(IDS) == sorted(exercise.identifier for exercise in files.everything())


def all_the_way():
    """The kernels, which are compiled as well, and one of every other kind: the rest is `test_kit`'s."""
    kinds = set()
    for asked in EXERCISES:
        kind = files.read(asked.name).kind
        if kind == "kernel" or kind not in kinds:
            kinds.add(kind)
            yield asked


@pytest.mark.parametrize("asked", list(all_the_way()), ids=lambda asked: asked.identifier)
def test_stub_and_answer(asked):
    assert engine.judge(asked.identifier, define(asked.stub)).status == "not yet"
    verdict = engine.judge(asked.identifier, define(asked.answer))
    assert verdict.status == "right", verdict


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


def test_what_03_says_of_the_usual_test():
    """Packed and near 0, it catches two of eight; each input that 03 offers beside it catches more."""
    torch.manual_seed(0)
    odd = torch.randn(9, 781)
    no_mask, no_store_mask, zeros, minus_1000, x_stride, y_stride, no_maximum, first = range(8)

    def caught(x):
        return {k for k, passed in enumerate(passes(x)) if not passed}

    assert caught(odd) == {no_mask, zeros}
    assert caught(odd[:, 3:40]) == {no_mask, zeros, x_stride}
    assert caught(odd - 1000) == {no_mask, zeros, minus_1000, no_maximum}
    assert caught(1000 * odd) == {no_mask, no_maximum, first}


def test_a_row_times_its_stride_is_computed_in_64_bits():
    """As the text teaches; not every exercise has a probe that shows it."""
    kernels = [asked for asked in EXERCISES if "@triton.jit" in asked.answer]
    by_rows = [asked for asked in kernels if re.search(r"stride|\b(row|head) ?(=|,)", asked.answer)]
    assert len(by_rows) > 12
    assert not [asked.identifier for asked in by_rows if ".to(tl.int64)" not in asked.answer]


BODY = """
row = tl.program_id(0).to(tl.int64)
columns = tl.arange(0, BLOCK_SIZE)
mask = columns < n_cols
x = tl.load(x_ptr + row * x_stride + columns, mask=mask, other=-float("inf"))
numerator = tl.exp(x - tl.max(x, axis=0))
tl.store(y_ptr + row * y_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)
"""


def kernel(body: str = BODY, decorators: str = "@triton.jit", before: str = "") -> str:
    lines = "".join(f"    {line}\n" for line in body.strip().splitlines())
    return f"{before}{decorators}\ndef mended_kernel(y_ptr, x_ptr, y_stride, x_stride, n_cols, BLOCK_SIZE: tl.constexpr):\n{lines}"


STORES = "tl.store(x_ptr + row * x_stride + columns, x * 0, mask=mask)"
TUNED = "@triton.autotune(configs=[triton.Config({}, num_warps=w) for w in (4, 8)], key=['n_cols'])\n@triton.jit"
BY_RULE = "@triton.heuristics({'BLOCK_SIZE': lambda given: triton.next_power_of_2(given['n_cols'])})\n@triton.jit"
HELPER = "@triton.jit\ndef power(x):\n    return tl.exp(x)\n\n"
KERNELS = {
    "stores into its input": (kernel(BODY + STORES), "wrong", "stored into x_ptr"),
    "autotuned": (kernel(decorators=TUNED), "right", ""),
    "with heuristics": (kernel(decorators=BY_RULE), "right", ""),
    "a helper": (kernel(BODY.replace("tl.exp(", "power("), before=HELPER), "right", ""),
    "a constexpr": (kernel(BODY.replace('-float("inf")', "PAD"), before='PAD = tl.constexpr(-float("inf"))\n'), "right", ""),
    "a plain global": (kernel(BODY.replace('-float("inf")', "PAD"), before='PAD = -float("inf")\n'), "wrong", "Cannot access global"),
    "print": (kernel(BODY + "print(row)"), "wrong", "print(row)"),
    "int of a program": (kernel(BODY.replace("BLOCK_SIZE)", "BLOCK_SIZE) + 0 * int(tl.program_id(0))", 1)), "wrong", "int("),
    "a reduction of its own": (
        kernel(BODY.replace("tl.max(x, axis=0)", "tl.reduce(x.to(tl.float32), 0, larger)"), before="@triton.jit\ndef larger(a, b):\n    return tl.maximum(a, b)\n\n"),
        "right",
        "",
    ),
    "not a kernel": (kernel(decorators=""), "wrong", "@triton.jit"),
}  # fmt: skip


def test_a_check_before_the_imports_says_what_to_run():
    verdict = engine.judge("00.best_milliseconds", {"In": ["", "check('00.best_milliseconds')"]})
    assert verdict.status == "not yet" and "Run All Above" in verdict.text.en and "运行" in verdict.text.zh


KERNEL = files.read("mended_kernel").right
FORMULA = "def best_milliseconds(nbytes, gigabytes_per_second):\n    return nbytes / gigabytes_per_second / 1e6\n"
DECIMAL = "from decimal import Decimal as D\ndef best_milliseconds(a, b):\n    return D(a) / D(b) / 10**6\n"
OWN_CLASS = "class F(float):\n    def __new__(cls, x):\n        return super().__new__(cls, x)\n"
CALLS_ITSELF = "@triton.jit\ndef top(x):\n    return tl.max(top(x), axis=0)\n"
LIBDEVICE = "from triton.language.extra import libdevice\n"
ODD = {  # a line that has no business there, another form, what the interpreter cannot do: the program, the verdict, a word of it
    "breakpoint": (FORMULA.replace("return", "breakpoint(); return"), "wrong", "breakpoint() is left"),
    "input": (FORMULA.replace("return", "input(); return"), "wrong", "input()"),
    "one parameter": (FORMULA.replace(", gigabytes_per_second):", "):"), "wrong", "keep best_milliseconds(nbytes, gigabytes"),
    "other names": (FORMULA.replace("nbytes", "n"), "right", ""),
    "a Decimal": (DECIMAL, "right", ""),
    "a class with __new__": (OWN_CLASS + FORMULA.replace("nbytes /", "F(nbytes) /"), "right", ""),
    "a library that looks for a temporary folder": ("import tempfile\n" + FORMULA.replace("return", "tempfile.gettempdir(); return"), "right", ""),
    "torch.compile": ("@torch.compile\n" + FORMULA, "right", ""),
    "a kernel with a parameter less": (KERNEL.replace("y_stride, ", "", 1).replace("y_stride", "n_cols"), "wrong", "keep mended_kernel("),
    "a helper that calls itself": (CALLS_ITSELF + KERNEL.replace("tl.max(x, axis=0)", "top(x)"), "wrong", "calls itself"),
    "load imported": ("from triton.language import load\n" + KERNEL.replace("tl.load", "load"), "unjudged", "The compiler can"),
    "libdevice": (LIBDEVICE + KERNEL.replace("tl.exp", "libdevice.exp"), "unjudged", "The compiler can"),
}  # fmt: skip


@pytest.mark.parametrize("what", KERNELS | ODD)
def test_odd_answers_get_a_clear_word(what):
    source, status, said = (KERNELS | ODD)[what]
    began = time.monotonic()
    verdict = engine.judge("03.mended_kernel" if "kernel" in source else "00.best_milliseconds", define(source))
    assert verdict.status == status and said in verdict.text.en, verdict
    assert time.monotonic() - began < 12


def test_after_a_syntax_error_the_old_definition_is_not_judged():
    namespace = define(FORMULA)
    assert engine.judge("00.best_milliseconds", namespace | {"In": ["", FORMULA]}).status == "right"
    cells = ["", FORMULA, FORMULA.replace(":", "", 1), "check()"]
    verdict = engine.judge("00.best_milliseconds", namespace | {"In": cells})
    assert verdict.status == "wrong" and "line 1" in verdict.text.en and "SyntaxError" in verdict.text.zh


def test_missing_or_odd_names():
    assert engine.judge("01.masked_softmax", {}).status == "not yet"
    assert "function" in engine.judge("01.masked_softmax", {"masked_softmax": 3}).text.en
    assert engine.judge("01.masked_softmax", {"masked_softmax": len}).status == "wrong"
    with pytest.raises(LookupError, match="没有练习(.|\n)*no exercise"):
        engine.judge("01.nothing", {})


@pytest.mark.parametrize(
    ("old", "said"), [("07.pairs_kernel", "no exercise"), ("07.kept_kernel", "08.kept_kernel now")]
)
def test_old_names_are_answered(old, said):
    with pytest.raises(LookupError, match=said):
        engine.find(old)


QUESTIONS = {
    f"{path.stem}.{name}": question
    for path in sorted(prediction.PREDICTED.iterdir())
    for name, question in prediction.questions(path.stem).items()
}


def test_every_question_is_asked_once_and_its_result_found_in_one_place():
    asked = [
        name
        for path in NOTEBOOKS
        for cell in read(path).cells
        for name in re.findall(r'^predict\("(.+?)"\)', cell.source)
    ]
    assert sorted(asked) == sorted(QUESTIONS)
    assert FOUND.keys() == {name for name, question in QUESTIONS.items() if question.find in FOUND.values()}


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)
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
    box = predict("01.overflow").widget()
    _, shelf, told = box.children
    assert not told.value and "course-open" in box._dom_classes
    card = shelf.children[0]
    assert card.children[1].description.startswith("A: ") and "你选了" not in card.children[0].value
    card.children[1].click()
    assert "✗" in told.value and "nan" in told.value and "course-open" not in box._dom_classes
    assert "wrong" in card._dom_classes and all(each.children[1].disabled for each in shelf.children)
