"""What plays on a page: films that come out as they went in, positions that are those of the notebook's explorer."""

import base64
import json
import zlib

import nbformat
import pytest
from bs4 import BeautifulSoup
from course import NOTEBOOKS, code_cells, read
from hypothesis import given
from hypothesis import strategies as st

from course_tools.player import Stale, bring_to_life, live, positions
from course_tools.player.film import film, packed
from course_utils import explorers


def unpacked(text: str) -> dict:
    return json.loads(zlib.decompress(base64.b64decode(text)))


def frame(film: dict, number: int) -> str:
    """A picture of a film again: what player.js does."""
    runs = [[int(place, 36) for place in run.split("-")] for run in film["frames"][number].split()]
    return "".join("".join(film["pieces"][run[0] : run[-1] + 1]) for run in runs)


PIECES = st.sampled_from(
    ["<tr>", "<td>1</td>", "\n", "text", "<div>", "</div>", "<b>", '<g data-text="x"/>', "<svg>\n"]
)


@given(st.lists(st.lists(PIECES, max_size=30).map("".join), min_size=1, max_size=8))
def test_a_film_holds_its_pictures(pictures):
    reel = unpacked(packed(film(pictures)))
    assert [frame(reel, k) for k in range(len(pictures))] == [each.replace(' data-text="x"', "") for each in pictures]
    assert len(reel["pieces"]) == len(set(reel["pieces"]))


@pytest.mark.parametrize("name", ["explore_softmax", "explore_gradient"])
def test_positions_are_the_explorers_own(name):
    explorer = getattr(explorers, name)()
    start = explorer.values
    told = positions.shoot(explorer)
    assert explorer.values == start, "it stands where it stood"
    assert len(told["at"]) <= positions.ROOM and len(told["film"]) <= positions.BYTES
    reel = unpacked(told["film"])
    again = getattr(explorers, name)()
    dials = positions.dials(again)
    for dial, control in zip(dials, told["controls"]):
        dial.shown = [value for value in dial.values if dial.said(value) in control["said"]]
        assert len(dial.shown) == len(control["said"])
        assert control["start"] == dial.shown.index(dial.start)
    for key in [*told["at"]][:: max(1, len(told["at"]) // 12)]:
        positions._move(dials, [dial.shown[int(place)] for dial, place in zip(dials, key.split(","))])
        assert frame(reel, told["at"][key]) == frame(film([again.view.value]), 0)


def test_every_control_moves_alone():
    """From the start, each control reaches each of its values with all others where they are."""
    told = positions.shoot(explorers.explore_softmax())
    start = [control["start"] for control in told["controls"]]
    for k, control in enumerate(told["controls"]):
        for place in range(len(control["said"])):
            assert ",".join(map(str, [*start[:k], place, *start[k + 1 :]])) in told["at"]


def test_every_live_cell_is_found_and_plays():
    """Each question, stepper and explorer of three notebooks; the others are filmed where the whole site is built."""
    for path in NOTEBOOKS[:3]:
        notebook, made = read(path), bring_to_life(read(path))
        for before, after in zip(code_cells(notebook), code_cells(made)):
            html = "".join(output.get("data", {}).get("text/html", "") for output in after.outputs)
            player = BeautifulSoup(html, "html.parser").select_one(".player")
            asked = live.is_live(before.source) or live.STEPS in html
            assert bool(player) == asked, before.source
            if player:
                assert before.outputs[0].data["text/html"] in html, "the still picture stays"


def test_a_stale_notebook_is_refused():
    cells = [nbformat.v4.new_code_cell('from course_utils.exercises import predict\npredict("00.times")')]
    cells[0].outputs = [nbformat.v4.new_output("execute_result", {"text/html": "x", "text/plain": "old"})]
    with pytest.raises(Stale, match="make execute"):
        bring_to_life(nbformat.v4.new_notebook(cells=cells))
