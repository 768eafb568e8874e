"""The one look: colours that can be read, on light paper and on dark; a language and a theme that every sheet knows of."""

import re

from course_tools import look
from course_tools.look import code_colours

PAIRS = re.compile(r"--([\w-]+): light-dark\((#\w+), (#\w+)\)")


def colours() -> dict[str, tuple[str, str]]:
    sheet = (look.HERE / "colours.css").read_text()
    long = lambda colour: "#" + "".join(c * 2 for c in colour[1:]) if len(colour) == 4 else colour  # noqa: E731
    return {name: (long(light), long(dark)) for name, light, dark in PAIRS.findall(sheet)}


def test_ink_can_be_read_on_every_paper():
    found = colours()
    for paper in ("paper", "code-paper", "wash"):
        for ink in ("ink", "quiet", "link", "accent"):
            for theme in (0, 1):
                assert code_colours.contrast(found[ink][theme], found[paper][theme]) >= 4.5, (ink, paper, theme)
    for theme in (0, 1):  # what shows where the keyboard is, and where a box ends
        for line in ("focus", "edge"):
            assert code_colours.contrast(found[line][theme], found["paper"][theme]) >= 3, (line, theme)


def test_code_can_be_read():
    assert colours()["code-paper"] == tuple(code_colours.PAPER.values())
    rules = re.findall(r"color:light-dark\((#\w+),(#\w+)\)", code_colours.rules())
    assert len(rules) > 8
    for pair in rules:
        for colour, paper in zip(pair, code_colours.PAPER.values()):
            assert code_colours.contrast(colour, paper) >= code_colours.ENOUGH


def test_nothing_is_fetched():
    for text in (look.style(), look.script(), look.start()):
        assert "http" not in text and "@import" not in text
