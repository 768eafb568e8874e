"""The numbers in the pictures: worked out another way, they come out the same."""

import re

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from pictures import ROW, TILE, check_layout

from course_utils import figures
from course_utils.figures.flow import STEPS
from course_utils.figures.memory import addresses
from course_utils.figures.queues import schedule as launch_schedule
from course_utils.figures.schedules import pipeline_schedule
from course_utils.figures.scoreboard import SHAPES, changed, level


@given(st.lists(st.floats(-50, 50), min_size=1, max_size=6), st.sampled_from([0.5, 1.0, 4.0]))
@settings(max_examples=30)
def test_softmax_steps_says_what_torch_says(scores, temperature):
    picture = figures.softmax_steps(scores, [str(i) for i in range(len(scores))], temperature=temperature)
    told = picture.en.rpartition("probabilities ")[2].split(", ")
    expected = torch.softmax(torch.tensor(scores, dtype=torch.float64) / temperature, 0).tolist()
    for got, want in zip(told, expected, strict=True):
        assert float(plain(got)) == pytest.approx(want, rel=0.06, abs=1e-12)


def plain(number):
    """A number as a picture writes it, as Python reads it."""
    digits = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹−", "-0123456789-")
    return number.translate(digits).replace("×10", "e").replace("∞", "inf")


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32"])
def test_overflow_is_where_torch_has_it(dtype):
    kind = getattr(torch, dtype)
    for score in (5.0, 11.0, 12.0, 88.0, 90.0):
        told = figures.softmax_steps((score,), ("x",), shift=False, dtype=dtype).en.rpartition(" ")[2]
        power = torch.exp(torch.tensor([score], dtype=kind))
        assert plain(told) == ("nan" if power.isinf() else "1") or told == "NaN" and bool(power.isinf())


@given(st.floats(allow_nan=False, allow_infinity=False, width=32))
@settings(max_examples=200)
def test_numbers_round_as_the_formats_do(value):
    from course_utils.figures.softmax_pictures import _stored

    for name in ("float16", "bfloat16", "float32"):
        expected = torch.tensor(value, dtype=torch.float64).to(torch.float32).to(getattr(torch, name)).item()
        assert _stored(value, name) == expected


def test_the_flow_adds_up_to_what_the_course_says():
    assert "5MN + 2M elements read, 3MN + 2M written" in figures.memory_flow(3, 4).en
    made = {"x"}
    for _, reads, write in STEPS:  # no step reads what no step has written
        assert set(reads) <= made
        made.add(write)


@given(
    st.lists(st.tuples(st.integers(0, 60), st.lists(st.integers(1, 60), max_size=3)), min_size=1, max_size=8),
    st.integers(0, 100),
)
def test_a_kernel_runs_in_order_after_its_launch_and_never_without_need_later(launches, busy):
    host, gpu = launch_schedule(launches, busy)
    assert [end - begin for begin, end in host] == [takes for takes, _ in launches]
    assert [end - begin for begin, end in gpu] == [kernel for _, kernels in launches for kernel in kernels]
    made = [end for (_, end), (_, kernels) in zip(host, launches, strict=True) for _ in kernels]
    free = [busy, *(end for _, end in gpu)]
    assert [begin for begin, _ in gpu] == [max(m, f) for m, f in zip(made, free, strict=False)]


@given(st.lists(st.floats(1, 5000), min_size=1, max_size=17))
@settings(max_examples=30)
def test_every_curve_has_its_name_and_the_names_do_not_meet(speeds):
    curves = {f"contender {k}": {256: speed, 512: speed + 1} for k, speed in enumerate(speeds)}
    check_layout(figures.speed_curves(curves, "N", "GB/s", title="all of them", height=460))


@settings(max_examples=60)
@given(rows=st.integers(1, 30), stages=st.integers(1, 8), load=st.floats(0.1, 9), compute=st.floats(0.1, 9))
def test_a_pipeline_keeps_its_promises(rows, stages, load, compute):
    plan = pipeline_schedule(rows, stages, load, compute)
    for before, after in zip(plan, plan[1:]):
        assert after.begun >= before.ended, "one row is computed at a time"
    for k, turn in enumerate(plan):
        assert turn.begun >= turn.arrived == turn.issued + load
        on_their_way = [other for other in plan if other.issued < turn.begun < other.ended and other.row > turn.row]
        assert len(on_their_way) <= max(stages - 2, 0), "no copy is issued before a slot is free"
        if k >= stages >= 2:
            assert turn.issued == plan[k - (stages - 1)].ended
    # Past its start, a row takes as long as computing does, or as its share of a trip to memory and back.
    period = max(compute, (load + compute) / max(stages - 1, 1))
    assert plan[-1].ended <= load + compute + period * (rows - 1) + load * (stages > 1) + 1e-6


# ---- tensors in memory: every address is PyTorch's own

WIDE = torch.arange(18.0).reshape(3, 6)
VIEWS = {
    "contiguous": WIDE,
    "slice from the middle": WIDE[1:, 2:],
    "transpose": WIDE.T,
    "every other column": WIDE[:, ::2],
    "one column": WIDE[:, :1],
    "half precision": WIDE.half()[:, :4],
}


@pytest.mark.parametrize("name", VIEWS)
def test_addresses_are_where_pytorch_keeps_the_elements(name):
    view = VIEWS[name]
    line = torch.as_strided(view, (view.untyped_storage().nbytes() // view.element_size(),), (1,), 0)
    places = torch.tensor(addresses(view.shape, view.stride(), view.storage_offset()))
    assert torch.equal(line[places], view)
    check_layout(figures.in_memory(x=view))


# ---- the scoreboard

FULL = {(dtype, *shape): 1.0 for dtype in ("float32", "bfloat16") for shape in SHAPES}


def labels(picture, language="en"):
    return re.findall(r'data-text="([^"]*)"', picture.svg(language))


@pytest.mark.parametrize(
    "share, mark", [(1.03, "●"), (0.97, "●"), (0.966, "●"), (0.964, "◐"), (0.9, "◐"), (0.894, "○")]
)
def test_a_number_has_the_level_of_what_is_written_and_no_colour_alone(share, mark):
    assert level(share)[1] == mark
    marks = [each for each in labels(figures.scoreboard(dict.fromkeys(FULL, share))) if each in "●◐○"]
    assert sorted(marks) == sorted([mark] * len(FULL) + ["●", "◐", "○"]), "one in each cell, and the scale"


def test_every_number_is_written_and_what_changed_has_its_old_one_and_its_step():
    cell, old = ("float32", 4096, 256), ("bfloat16", 4096, 781)
    picture = figures.scoreboard(TILE, ROW, steps={cell: ("几行并排 · tile", True), old: ("warp 数 · warps", False)})
    said = labels(picture)
    for share in TILE.values():
        assert f"{share:.2f}" in said and f"{share:.2f}" in picture.zh and f"{share:.2f}" in picture.en
    assert said.count("–") == 2 == picture.en.count("–"), "131072 columns do not fit"
    moved = [f"{ROW[each]:.2f} →" for each in TILE if changed(each, TILE, ROW)]
    assert sorted(each for each in said if "→" in each) == sorted(moved) and len(moved) == 5
    assert "2²⁰×128 1.00 (was 0.28)" in picture.en and "2²⁰×128 1.00（原 0.28）" in picture.zh
    assert {"tile", "warps"} <= set(said) and "几行并排" in labels(picture, "zh")
