"""The page's engine against Triton's interpreter: the same launches, the same accesses, values and errors, in a browser."""

import gzip
import re
from pathlib import Path

import pytest
import torch
from kernels import kernel_from
from live_corpus import (
    BF16,
    EVALUATE,
    F16,
    F32,
    TYPES,
    expressions,
    first,
    library,
    notebooks,
    second,
    sharing,
    steps,
    teams,
)
from live_recorder import contents, recording, seen_by_finder, seen_by_stepper

from course_tools.live.bundle import engine, small
from course_utils.backend import mode, triton
from course_utils.interpreter.arguments import Arguments
from course_utils.stepper.tracer import trace_program

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(mode != "interpreter", reason="records launches in the interpreter itself"),
]


OLDEST = triton.__version__.startswith("3.6.")


@pytest.fixture(scope="module")
def page(browser):
    page = browser.new_page()
    page.add_script_tag(content=small(engine()))
    page.add_script_tag(content=(Path(__file__).parent / "live_replay.js").read_text())
    return page


def replayed(page, cases) -> tuple[int, list[str]]:
    """How many launches, and where the engine does something else."""
    torch.manual_seed(0)
    count, different = 0, []
    for name, run in cases:
        with recording() as records:
            try:
                run()
            except RuntimeError as error:  # a deadlock, which is part of the record
                assert records, error
        count += len(records)
        different += [f"{name}: {said}" for said in page.evaluate("records => records.map(replay)", records) if said]
    return count, different


@pytest.mark.parametrize("dtype", [F32, F16, BF16], ids=str)
def test_the_kernels_of_the_course(page, dtype):
    count, different = replayed(page, library(dtype))
    assert count > 15
    assert not different, "\n".join(different)


def test_the_kernels_of_notebooks(page):
    count, different = replayed(page, notebooks())
    assert count >= 8
    assert not different, "\n".join(different)


def test_programs_that_take_turns(page):
    count, different = replayed(page, teams())
    assert count == 4
    assert not different, "\n".join(different)


def test_the_stepper_sees_the_same(page):
    records = [
        seen_by_stepper(kernel, grid, program, *given, **named) for kernel, grid, program, given, named in steps()
    ]
    assert sum(len(each["steps"]) for each in records) > 150
    for record in records:
        assert page.evaluate("stepped", record) == [], record["kernel"]


def test_the_same_races_are_found(page):
    records = [seen_by_finder(kernel, programs, *given, places=places, **named)
               for kernel, programs, places, given, named in sharing()]  # fmt: skip
    assert sum(bool(each["races"]) for each in records) >= 4 and sum(each["deadlock"] for each in records) >= 2
    assert [said for said in page.evaluate("records => records.map(raced)", records) if said] == []


def outcome(expression, a, b):
    """What the interpreter makes of it: the type and the values; no type where it refuses."""
    source = EVALUATE.format(expression=expression)
    given = first(TYPES[a]), second(TYPES[b])
    trace = trace_program(kernel_from(source), (1,), 0, Arguments.copy(given, {}))
    held = trace.values(len(trace.steps) - 1).get("c") if trace.steps else None
    raw = [contents(each.untyped_storage()) for each in given]
    if held is None or trace.error:
        return [expression, source, a, b, *raw, None, []]
    values = getattr(held.value.data, "ravel", lambda: [held.value.data])()
    told = [str(int(x)) if "int" in type(x).__name__ or "bool" in type(x).__name__ else repr(float(x)) for x in values]
    return [expression, source, a, b, *raw, held.value.dtype, told]


def differs_on_purpose(expression, a, b):
    """Where the interpreter is wrong: it computes with the bits of a bfloat16, gives what Python's `and` and `not` give, and leaves a
    float that no integer can hold to the processor."""
    if OLDEST and ("tl.m" in expression or expression == "~a" or "int1" in (a, b)):
        return True  # there a NaN stays, ~ takes signed integers alone, and True + True is True
    return (
        "bfloat16" in (a, b)
        or "and" in expression
        or "not" in expression
        or (TYPES[a].is_floating_point and re.match(r"a\.to\(tl\.u?int(?!1\))", expression))
    )


def compare_expressions(page, chosen):
    told = [outcome(*each) for each in chosen if not differs_on_purpose(*each)]
    return [said for said in page.evaluate("all => all.map(evaluated)", told) if said]


@pytest.mark.parametrize("every", [13, pytest.param(1, marks=pytest.mark.deep)])
def test_operators_on_pairs_of_types(page, every):
    different = compare_expressions(page, list(expressions())[::every])
    assert not different, f"{len(different)}\n" + "\n".join(different)


FORMULA = """import math

def formula(rows, columns):
    sizes = []
    for power in range(20):
        if 2 ** power >= columns:
            break
        sizes.append(2 ** power)
    sizes[0] = round(2.5)
    return min(sizes), max(sizes), sum(sizes), len(sizes), math.ceil(rows / 3), rows // -3, rows % -3, sorted(sizes, reverse=True)[0]
"""


def test_a_formula_is_plain_python(page):
    names: dict = {}
    exec(FORMULA, names)
    ask = "([text, ...given]) => Live.calculate(Live.load(text).formula, given.map(BigInt)).map(Number)"
    assert page.evaluate(ask, [FORMULA, 100, 781]) == list(names["formula"](100, 781))


def test_the_engine_stays_small():
    """With the judge. What it says of an exercise comes with the exercise."""
    script = small(engine()).encode()
    most, compressed = 70_000, 27 * 1024
    assert len(script) <= most and len(gzip.compress(script, 9)) <= compressed


def test_no_int64_is_cut_by_the_minifier():
    assert "Math.trunc(" not in engine()
