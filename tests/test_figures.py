"""Every picture: well-formed, the same every time, nothing outside the paper, no text over text, no letter missing."""

import html
import itertools
import re
import subprocess
import sys
from xml.etree import ElementTree

import numpy as np
import pytest
from course import ROOT
from pictures import PICTURES, check_layout

from course_tools.moving import Moving
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


def test_the_picture_that_moves_needs_no_script_and_no_language():
    drawn = Moving().svg()
    tags = {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(drawn).iter()}
    assert "script" not in tags and "@keyframes" in drawn and "prefers-color-scheme" in drawn
    assert not re.search("[\u4e00-\u9fff]", drawn) and drawn == Moving().svg()


def test_a_picture_is_drawn_in_each_language_and_the_switch_hides_the_other(picture):
    bundle = picture._repr_mimebundle_()
    assert set(bundle) == {"text/html", "text/plain"} and len(bundle["text/html"]) < 200_000
    for language, told in (("zh", picture.zh), ("en", picture.en)):
        (drawn,) = re.findall(f'<div lang="{language}"><img [^>]*alt="([^"]+)"', bundle["text/html"])
        assert html.unescape(drawn) == told and told in bundle["text/plain"]


def test_a_label_is_drawn_in_the_language_of_the_picture(picture, request):
    """No Chinese in the English drawing, no label in two languages in either."""
    for language in ("zh", "en"):
        labels = re.findall(r'data-text="([^"]*)"', picture.svg(language))
        if "map" in request.node.name:  # for README, which has no switch
            return
        assert not [
            each for each in labels if re.search("[\u4e00-\u9fff]", each) and (language == "en" or " · " in each)
        ]


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


def test_no_letter_of_a_picture_is_missing():
    drawn = [re.findall(r'data-text="([^"]*)"', draw().svg()) for draw in PICTURES.values()]
    letters = set(html.unescape("".join(itertools.chain(*drawn))))
    assert len(letters) > 150
    assert not [c for c in letters if not any(ord(c) in glyphs._font(i)[0] for i in (0, 1))]


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
