"""The stepper: every line, every value, every lane; against values worked out by hand and against numpy."""

import sys

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from kernels import copy_unmasked, kernel_from, softmax_rows, tile_doubled

from course_utils.backend import mode
from course_utils.stepper import step, tracer

X = torch.arange(20.0).reshape(4, 5)


def softmax_steps(program=1):
    return step(softmax_rows, (2,), program, torch.zeros(4, 5), X, 5, 5, 4, 5, BLOCK=8)


def lines(steps):
    return [moment.line.split(" = ")[0] for moment in steps]


def test_values_by_hand():
    steps = softmax_steps(program=1)
    sizes = {"x_stride": 5, "y_stride": 5, "n_rows": 4, "n_cols": 5, "BLOCK": 8}
    assert steps[0].values == {"y_ptr": ("y_ptr", 0), "x_ptr": ("x_ptr", 0), **sizes}
    assert [steps[i].values["row"] for i in (1, 6, 8, 13)] == [1, 1, 3, 3]
    loaded = steps.at("tl.load")
    at = steps[loaded.start]
    assert at.changed == ("x",)
    assert at.values["x"].tolist() == [5, 6, 7, 8, 9, -np.inf, -np.inf, -np.inf]
    assert at.values["mask"].tolist() == [True] * 5 + [False] * 3
    assert steps[loaded.start + 1].values["x"].tolist() == [-4, -3, -2, -1, 0, -np.inf, -np.inf, -np.inf]
    powers = np.exp(np.array([-4, -3, -2, -1, 0], dtype=np.float32))
    assert np.allclose(steps[-1].tensors["y_ptr"][1], powers / powers.sum())


def test_programs_before_have_run_and_yours_are_untouched():
    y = torch.zeros(4, 5)
    steps = step(softmax_rows, (2,), 1, y, X, 5, 5, 4, 5, BLOCK=8)
    rows = steps[0].tensors["y_ptr"]
    right = X.softmax(1).numpy()
    assert np.allclose(rows[[0, 2]], right[[0, 2]]) and not rows[[1, 3]].any()
    assert np.allclose(steps[-1].tensors["y_ptr"], right)
    assert not y.any(), "stepping works on copies"


def test_a_lane_is_padding_only_while_nothing_else_flowed_into_it():
    kernel = kernel_from("""
        @triton.jit
        def chunks(x_ptr, n, BLOCK: tl.constexpr):
            total = tl.zeros((BLOCK,), tl.float32)
            cols = tl.arange(0, BLOCK)
            part = tl.load(x_ptr + cols, mask=cols < n, other=0.0)
            shifted = (part * 2 +
                       1)
            total += part
            wide = tl.load(x_ptr + cols, mask=cols < n, other=0.0).to(tl.float64)
    """)
    steps = step(kernel, (1,), 0, torch.ones(3), 3, BLOCK=4)
    held = steps.trace.values(len(steps) - 1)
    assert held["part"].padding.tolist() == held["shifted"].padding.tolist() == [False] * 3 + [True]
    assert held["wide"].padding.tolist() == [False] * 3 + [True]
    assert held["total"].padding is None, "zeros flowed into every lane"
    assert sum(line.startswith("shifted") for line in lines(steps)) == 1, "a statement on two lines is one step"


def test_two_dimensions_and_a_helper():
    x = torch.arange(12.0).reshape(4, 3)
    steps = step(tile_doubled, (2,), 1, torch.zeros(4, 3), x, 3, ROWS=2, COLS=4)
    tile = next(moment for moment in steps if moment.changed == ("tile",))
    assert tile.values["tile"].tolist() == [[6, 7, 8, 0], [9, 10, 11, 0]]
    inside = [moment for moment in steps if moment.step.function == "double"]
    assert [moment.line for moment in inside] == ["def double(value):", "twice = value * 2", "return twice"]
    assert inside[1].step.callers == (("tile_doubled", tile.line_number + 1),)
    assert set(inside[1].values) == {"value", "twice"}
    assert inside[2].values["return"].tolist() == [[12, 14, 16, 0], [18, 20, 22, 0]]
    assert steps.trace.values(inside[0].index)["value"].padding[:, 3].all(), "padding passes into the helper"
    assert steps[-1].tensors["y_ptr"].tolist() == (2 * x).tolist()


def test_bfloat16_is_shown_as_numbers():
    kernel = kernel_from("""
        @triton.jit
        def widen(y_ptr, x_ptr):
            cols = tl.arange(0, 4)
            narrow = tl.load(x_ptr + cols)
            tl.store(y_ptr + cols, narrow)
    """)
    x = torch.tensor([1.5, -2.0, torch.inf, torch.nan], dtype=torch.bfloat16)
    end = step(kernel, (1,), 0, torch.zeros_like(x), x)[-1]
    for shown in (end.values["narrow"], end.tensors["y_ptr"]):
        assert np.array_equal(shown, [1.5, -2.0, np.inf, np.nan], equal_nan=True)


def test_a_tensor_is_shown_as_it_was_at_each_step():
    kernel = kernel_from("""
        @triton.jit
        def counts(y_ptr):
            for i in range(3):
                tl.store(y_ptr + 1, i + 5)
                tl.atomic_add(y_ptr, 1.0)
    """)
    steps = step(kernel, (2,), 1, torch.zeros(2))
    wrote = [moment.tensors["y_ptr"].tolist() for moment in steps if moment.step.touches]
    assert wrote == [[3, 5], [4, 5], [4, 6], [5, 6], [5, 7], [6, 7]]
    assert steps[0].tensors["y_ptr"].tolist() == [3, 7]


@pytest.mark.parametrize(("grid", "program"), [((2,), 2), ((2,), -1), ((2, 3), (1, 3)), ((2, 3), (0, 0, 1))])
def test_a_program_outside_the_grid(grid, program):
    with pytest.raises(ValueError, match="没有(.|\n)*There is no program"):
        step(copy_unmasked, grid, program, torch.zeros(16), torch.zeros(16), 0, BLOCK=8)


RAISES = """
    @triton.jit
    def inner(value):
        return value + nowhere

    @triton.jit
    def outer(x_ptr):
        x = tl.load(x_ptr)
        y = inner(x)
        z = y
"""


def test_a_kernel_that_raises_shows_the_line_and_the_values_until_there():
    steps = step(kernel_from(RAISES), (1,), 0, torch.ones(1))
    assert steps.error == "NameError: name 'nowhere' is not defined"
    assert [(moment.step.kind, moment.line) for moment in list(steps)[-2:]] == [
        ("raise", "return value + nowhere"),
        ("raise", "y = inner(x)"),
    ]
    assert steps[-1].values["x"] == 1 and "y" not in steps[-1].values


ENDLESS = """
    @triton.jit
    def endless(x_ptr):
        i = 0
        while i >= 0:
            i += 1
"""


bounds = pytest.mark.skipif(mode != "interpreter", reason="the bounds to lower are in another process")


@bounds
@pytest.mark.parametrize("bound", ["steps", "bytes", "seconds"])
def test_it_stops_at_a_bound_and_says_so(monkeypatch, bound):
    monkeypatch.setattr(tracer, f"MOST_{bound.upper()}", {"steps": 500, "bytes": 200_000, "seconds": 0.3}[bound])
    tracing = sys.gettrace()
    steps = step(kernel_from(ENDLESS), (1,), 0, torch.zeros(1))
    assert steps.stopped == bound and sys.gettrace() is tracing
    if bound == "steps":
        assert len(steps) == 500 and steps[-1].values["i"] == 249
    assert f"{len(steps):,} steps" in repr(steps)
    assert softmax_steps()[-1].values["row"] == 3, "the interpreter is as it was"


def test_out_of_bounds_lanes_are_marked():
    steps = step(copy_unmasked, (2,), 1, torch.zeros(2, 5), X[:2], 5, BLOCK=8).at("tl.load")
    values = steps[steps.start].values["x"]
    assert values[:5].tolist() == [5, 6, 7, 8, 9] and np.isnan(values[5:]).all()


@st.composite
def programs(draw):
    """A kernel of random assignments in loops and branches, beside the same in plain Python."""
    names = ["a", "b", "c"]

    def block(depth):
        text = []
        for _ in range(draw(st.integers(1, 3))):
            kind = draw(st.sampled_from(["set", "set", "loop", "if"] if depth < 2 else ["set"]))
            if kind == "set":
                left, right = draw(st.sampled_from(names)), draw(st.sampled_from(names))
                operator = draw(st.sampled_from(["+", "-", "*"]))
                text.append(f"{draw(st.sampled_from(names))} = {left} {operator} {right}")
            elif kind == "loop":
                text.append(f"for i{depth} in range({draw(st.integers(0, 3))}):")
                text += ["    " + line for line in block(depth + 1)]
            else:
                text.append(f"if START > {draw(st.integers(0, 3))}:")
                text += ["    " + line for line in block(depth + 1)]
        return text

    return block(0), draw(st.integers(0, 4))


@settings(max_examples=30)
@given(programs())
def test_any_program_of_assignments_steps_as_python_runs(case):
    body, start = case
    source = "\n".join(["    " + line for line in body])
    kernel = kernel_from(
        "@triton.jit\ndef made(x_ptr, START: tl.constexpr):\n    a = tl.arange(0, 4)\n    b = a + 1\n    c = a - 2\n"
        + source
    )
    plain = f"def made(START):\n    a = ARANGE\n    b = a + 1\n    c = a - 2\n{source}\n"
    namespace = {"ARANGE": np.arange(4, dtype=np.int32)}
    seen = []

    def trace(frame, event, argument):
        if frame.f_code.co_name == "made":
            seen.append((event, frame.f_lineno, {k: v for k, v in frame.f_locals.items() if k in "abc"}))
            return trace

    exec(compile(plain, "<plain>", "exec"), namespace)
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        with np.errstate(all="ignore"):
            namespace["made"](start)
    finally:
        sys.settrace(before)
    # A line's values are those seen when the next one begins.
    expected = [(line, after[2]) for (event, line, _), after in zip(seen, seen[1:], strict=False) if event == "line"]
    found = [
        (moment.line_number - 1, moment.values)
        for moment in list(step(kernel, (1,), 0, torch.zeros(1), START=start))[1:]
    ]
    assert [line for line, _ in found] == [line for line, _ in expected]
    for (_, values), (_, wanted) in zip(found, expected, strict=True):
        for name, value in wanted.items():
            assert np.array_equal(values[name], value), name
