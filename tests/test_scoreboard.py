"""The scoreboard: every number in words and in its cell, what changed stands out, and no level is told by colour alone."""

import re

import pytest
from pictures import ROW, TILE, check_layout

from course_utils.figures import scoreboard
from course_utils.figures.scoreboard import SHAPES, changed, level

FULL = {(dtype, *shape): 1.0 for dtype in ("float32", "bfloat16") for shape in SHAPES}


def labels(picture, language="en"):
    return re.findall(r'data-text="([^"]*)"', picture.svg(language))


@pytest.mark.parametrize(
    "share, mark", [(1.03, "●"), (0.97, "●"), (0.966, "●"), (0.964, "◐"), (0.9, "◐"), (0.894, "○")]
)
def test_a_number_has_the_level_of_what_is_written(share, mark):
    assert level(share)[1] == mark
    picture = scoreboard(dict.fromkeys(FULL, share))
    marks = [each for each in labels(picture) if each in "●◐○"]
    assert sorted(marks) == sorted([mark] * len(FULL) + ["●", "◐", "○"]), "one in each cell, and the scale"


def test_every_number_is_written_and_said():
    picture = scoreboard(ROW, title="03")
    for share in ROW.values():
        assert f"{share:.2f}" in labels(picture) and f"{share:.2f}" in picture.zh and f"{share:.2f}" in picture.en
    assert "4096×256 0.82, 4096×781 0.91" in picture.en and "2²⁰×128 0.56" in picture.en
    assert labels(picture).count("–") == 2 == picture.en.count("–"), "131072 columns do not fit"


def test_what_changed_is_bold_with_its_old_number_above():
    picture = scoreboard(TILE, ROW)
    assert {cell for cell in TILE if changed(cell, TILE, ROW)} == {
        ("float32", 4096, 256), ("bfloat16", 4096, 256), ("float32", 4096, 1024), ("float32", 1 << 20, 128), ("bfloat16", 1 << 20, 128),
    }  # fmt: skip
    assert sorted(each for each in labels(picture) if "→" in each) == ["0.28 →", "0.56 →", "0.68 →", "0.82 →", "0.95 →"]
    assert "2²⁰×128 1.00 (was 0.28)" in picture.en and "2²⁰×128 1.00（原 0.28）" in picture.zh
    fits_now = scoreboard(FULL, {cell: 1.0 for cell in FULL if cell[2] != 131072})
    assert fits_now.en.count("(was –)") == 2 and "was 1.00" not in fits_now.en


def test_a_cell_says_which_step_did_it():
    cell, old = ("float32", 4096, 256), ("bfloat16", 4096, 781)
    picture = scoreboard(TILE, ROW, steps={cell: ("几行并排 · tile", True), old: ("warp 数 · warps", False)})
    said = labels(picture)
    assert {"tile", "warps"} <= set(said) and "几行并排" in labels(picture, "zh")
    assert "small: the step that did it, new in bold" in said and len(said) == len(labels(scoreboard(TILE, ROW))) + 3
    check_layout(picture)
