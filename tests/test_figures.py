"""Every picture: nothing outside the paper, no text over text, no letter missing, a language of its own, colours for all eyes."""

import html
import itertools
import re
from xml.etree import ElementTree

import numpy as np
import pytest
from course import python
from pictures import AWKWARD, check_drawing, check_layout, stored

from course_tools.look.code_colours import contrast, linear
from course_tools.moving import Moving
from course_utils.figures import glyphs, style

STORED = stored()
DRAWINGS = {
    **{" ".join(map(str, key)): (key[2], *drawn) for key, drawn in STORED.items()},
    **{f"{name} {language}": (language, name, draw) for name, draw in AWKWARD.items() for language in ("zh", "en")},
}


@pytest.fixture(params=DRAWINGS)
def drawing(request):
    """The language, what it is called, and the SVG."""
    language, said, svg = DRAWINGS[request.param]
    return language, said, svg if isinstance(svg, str) else svg().svg(language)


# ---- what every picture keeps to


def test_it_is_laid_out_in_one_language_with_a_dark_colour_for_each(drawing):
    language, said, svg = drawing
    check_drawing(svg, said)
    root = ElementTree.fromstring(svg)
    elements = list(root.iter())
    assert "text" not in {element.tag.rpartition("}")[2] for element in elements}, "it would depend on a reader's fonts"
    ids = {e.get("id") for e in elements if e.get("id")}
    assert {e.get("href") for e in elements if e.get("href")} == {f"#{name}" for name in ids}
    assert "http" not in svg.replace("http://www.w3.org/2000/svg", "")
    rules = root.find(".//{*}style").text
    assert all(f".{name}{{" in rules for e in elements for name in (e.get("class") or "").split())
    chinese = [each.get("data-text") for each in root if re.search("[\u4e00-\u9fff]", each.get("data-text") or "")]
    assert not [each for each in chinese if language == "en" or " · " in each]


def test_every_drawing_comes_in_both_languages_and_says_what_it_shows():
    for notebook, number, _ in STORED:
        zh, en = (STORED[notebook, number, language][0] for language in ("zh", "en"))
        assert re.search("[\u4e00-\u9fff]", zh) and zh != en, (notebook, zh, en)
    assert len(STORED) > 100


def test_the_picture_that_moves_needs_no_script_and_no_language():
    drawn = Moving().svg()
    tags = {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(drawn).iter()}
    assert "script" not in tags and "@keyframes" in drawn and "prefers-color-scheme" in drawn
    assert not re.search("[\u4e00-\u9fff]", drawn) and drawn == Moving().svg()


def test_a_picture_for_a_phone_keeps_to_its_paper():
    """Drawn narrow, it says the same, and nothing in it overlaps."""
    for name, draw in AWKWARD.items():
        with style.for_a_phone():
            narrow = draw()
        assert narrow.canvas.width < draw().canvas.width and str(narrow) == str(draw()), name
        check_layout(narrow)


# ---- letters


def test_no_letter_of_a_picture_is_missing():
    svgs = [svg if isinstance(svg, str) else svg().svg() for _, _, svg in DRAWINGS.values()]
    letters = set(
        html.unescape("".join(itertools.chain(*(re.findall(r"data-text=['\"]([^'\"]*)", svg) for svg in svgs))))
    )
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
    done = python("""
        import sys
        from course_utils import figures
        figures.softmax_steps().html()
        print({'matplotlib', 'numpy', 'torch', 'triton', 'zhplot'} & {*sys.modules})
    """)
    assert done.stdout.strip() == "set()" and done.stderr == ""


# ---- colours


@pytest.mark.parametrize("theme", [0, 1])
def test_text_stands_out_from_its_paper(theme):
    colour = {name: pair[theme] for name, pair in style.COLOURS.items()}
    for name in ("ink", "mute", "alarm"):
        assert contrast(colour[name], colour["paper"]) >= 4.5, name
        assert contrast(colour[name], colour["wash"]) >= 4.4, name
    for name in ("naive", "torch", "course", "copy"):
        assert contrast(colour[name], colour["paper"]) >= 3, name
    for name in ("c0", "c1", "c2", "c3", "c4", "read", "write"):
        assert contrast(colour["on"], colour[name]) >= 4.5, name


# Machado, Oliveira and Fernandes (2009): what red- and green-blind eyes see, on linear RGB
PROTAN = np.array([[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]])
DEUTAN = np.array([[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]])
MEET = "read write", "course c1 naive", "naive torch course copy", "c0 c3", "c0 c1"


@pytest.mark.parametrize("eye", [np.eye(3), PROTAN, DEUTAN], ids=["most eyes", "red-blind", "green-blind"])
@pytest.mark.parametrize("theme", [0, 1])
def test_colours_that_meet_stay_apart(eye, theme):
    for a, b in itertools.chain(*(itertools.combinations(together.split(), 2) for together in MEET)):
        seen = [np.cbrt(np.clip(eye @ linear(style.COLOURS[n][theme]), 0, 1)) for n in (a, b)]
        assert np.linalg.norm(seen[0] - seen[1]) > 0.13, (a, b)
