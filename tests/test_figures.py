"""Every picture: well-formed, the same every time, nothing outside the paper, no text over text, no letter missing."""

import os
import re
import subprocess
import sys
from xml.etree import ElementTree

import numpy as np
import pytest
from course import ROOT
from pictures import PICTURES, check_layout

from course_utils.figures import canvas as canvas_module
from course_utils.figures import glyphs

IMAGES = ROOT / "images"


@pytest.fixture(params=PICTURES)
def picture(request):
    return PICTURES[request.param]()


# ---- what every picture keeps to


def test_a_picture_is_svg_without_text_elements_or_links_out(picture):
    root = ElementTree.fromstring(picture.svg())
    tags = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert "text" not in tags, "text would depend on the reader's fonts"
    ids = {e.get("id") for e in root.iter() if e.get("id")}
    assert {e.get("href") for e in root.iter() if e.get("href")} == {f"#{name}" for name in ids}
    assert "http" not in picture.svg().replace("http://www.w3.org/2000/svg", "")


def test_a_picture_shows_and_describes_itself_in_both_languages(picture):
    bundle = picture._repr_mimebundle_()
    assert set(bundle) == {"text/html", "text/plain"}
    assert picture.zh in bundle["text/plain"] and picture.en in bundle["text/plain"]
    alt = re.search(r'<img [^>]*alt="([^"]+)"', bundle["text/html"])[1]
    assert re.search("[\u4e00-\u9fff]", alt) and re.search("[a-z]{3}", alt)
    assert len(bundle["text/html"]) < 130_000


def test_a_picture_is_the_same_every_time(picture, request):
    assert PICTURES[request.node.callspec.params["picture"]]().html() == picture.html()


def test_nothing_lies_outside_the_paper_and_no_text_on_text(picture):
    check_layout(picture)


def test_every_colour_has_a_dark_one(picture):
    root = ElementTree.fromstring(picture.svg())
    rules = root.find(".//{*}style").text
    for element in root.iter():
        for name in (element.get("class") or "").split():
            assert f".{name}{{" in rules, name


# ---- letters


def test_no_letter_of_a_picture_is_missing(monkeypatch):
    drawn = []
    text = canvas_module.Canvas.text
    monkeypatch.setattr(
        canvas_module.Canvas,
        "text",
        lambda self, x, y, t, *a, **k: (drawn.append(str(t)), text(self, x, y, t, *a, **k))[1],
    )
    for draw in PICTURES.values():
        draw()
    letters = set("".join(drawn))
    assert len(letters) > 150
    assert not [c for c in letters if not any(ord(c) in glyphs._font(i)[0] for i in (0, 1))]


def test_an_unknown_letter_becomes_a_question_mark_not_a_box():
    assert glyphs.outline("\U0001f9ff") == glyphs.outline("?")


def test_an_outline_is_that_of_the_font():
    """The compact path, drawn again, covers what fontTools says the glyph covers."""
    from fontTools.pens.boundsPen import ControlBoundsPen
    from fontTools.svgLib.path import parse_path

    for char in "猫a∞−₁⁸g":
        index = 1 if char in glyphs._TINY or ord(char) not in glyphs._font(0)[0] else 0
        names, font, scale = glyphs._font(index)
        expected, got = ControlBoundsPen(font), ControlBoundsPen(None)
        font[names[ord(char)]].draw(expected)
        parse_path(glyphs.outline(char)[0], got)
        x0, y0, x1, y1 = (v * scale for v in expected.bounds)
        assert np.allclose(got.bounds, (x0, -y1, x1, -y0), atol=1.6), char


def test_pictures_need_neither_matplotlib_nor_torch():
    code = (
        "import sys; from course_utils import figures; figures.softmax_steps().html(); "
        "print([m for m in ('matplotlib', 'numpy', 'torch', 'triton', 'zhplot') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=IMAGES.parent)
    assert done.stdout.strip() == "[]" and done.stderr == ""


def test_a_plot_of_your_own_shows_chinese(tmp_path):
    """With the course's settings, matplotlib finds every letter (it warns of each one it lacks)."""
    code = (
        "import warnings; warnings.simplefilter('error'); import matplotlib; matplotlib.use('svg');"
        "import matplotlib.pyplot as plt; from course_utils.figures import for_matplotlib\n"
        "with plt.rc_context(for_matplotlib()):\n"
        "    plt.plot([-1, 1]); plt.title('显存 · memory −∞ x₁'); plt.savefig('out.svg')"
    )
    subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        check=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(IMAGES.parent)},
    )
