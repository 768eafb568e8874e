"""The explorers with no browser: controls move the picture, the still says the same, bad values are answered in words."""

import json
import re

import pytest

from course_utils import explorers
from course_utils.measurements.times import sweep

# each with a move of every control that must change the picture
EXPLORERS = {
    "explore_attention": {"n": 33, "d": 128, "rows": 16, "columns": 2, "causal": False, "tile": 1, "step": 3},
    "explore_softmax": {"cat": 3.0, "dog": -2.5, "pig": 1.0, "temperature": 4.0, "constant": 100.0,
                        "subtract_max": False, "dtype": "bfloat16"},
    "explore_gradient": {"cat": 4.0, "dog": -2.5, "pig": 1.0, "d_cat": 0.5, "d_dog": -1.25, "d_pig": 2.0},
    "explore_contest": {"device": "NVIDIA H200", "state": "hot"},
    "explore_decode": {"batch": 64},
    "explore_split": {"columns": 1 << 20, "programs": 64, "warps": 2},
    "explore_rounds": {"way": "ring", "ranks": 4, "done": 1},
    "explore_merging": {"shape": "one by one", "order": 7, "step": 3},
    "explore_sectors": {"apart": 8, "start": 1},
}  # fmt: skip
MOVES = [(name, control) for name, moves in EXPLORERS.items() for control in moves]


def start(name):
    return getattr(explorers, name)()


@pytest.fixture(params=EXPLORERS)
def explorer(request):
    return start(request.param)


def test_every_explorer_is_tested():
    assert set(EXPLORERS) == {name for name in dir(explorers) if name.startswith("explore_")}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "control"), MOVES)
def test_moving_a_control_changes_the_picture(name, control):
    explorer = start(name)
    before = explorer.view.value
    explorer.controls[control].value = EXPLORERS[name][control]
    assert explorer.view.value != before
    assert "<svg" in explorer.view.value and "alert" not in explorer.view.value


def test_every_control_is_moved_here_and_named_in_both_languages(explorer, request):
    assert set(explorer.controls) == set(EXPLORERS[request.node.callspec.params["explorer"]])
    names = [control.children[0].value for control in explorer.widget.children[1].children]
    assert len(names) == len(explorer.controls)
    for name in names:
        assert re.search('<span lang="zh">.*</span><span lang="en">.*</span>', name) or "num_" in name


def test_a_still_stands_in_where_nothing_is_live(explorer):
    bundle = explorer._repr_mimebundle_()
    assert set(bundle) == {"application/vnd.jupyter.widget-view+json", "text/html", "text/plain"}
    assert bundle["text/html"] == explorer.picture().html()
    assert bundle["text/plain"] == str(explorer.picture()) and "object at" not in bundle["text/plain"]
    json.dumps(bundle)


def test_the_contest_is_that_of_the_recordings():
    explorer = explorers.explore_contest()
    for device in ("h100-80gb-hbm3", "h200"):
        recording = sweep("hot", device)
        explorer.controls["device"].value = recording.provenance["device"]
        explorer.controls["state"].value = "hot"
        us = recording.us(1024, "float32")
        told = next(each for each in explorer.picture().en.split("; ") if "float32 quack:" in each)
        assert f"1024 {us['copy'] / us['quack']:.2f}" in told


def test_values_that_do_not_fit_are_answered_in_the_place_of_the_picture():
    def draw(n):
        raise ValueError("太大。\nToo <large>.")

    view = explorers.Explorer(draw, n=explorers.base.slider("数", "number", 1, 0, 9)).view.value
    assert "太大" in view and "Too &lt;large&gt;" in view and 'role="alert"' in view
