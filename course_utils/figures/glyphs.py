"""Text as outlines, so that Chinese renders on a machine that has no Chinese font.

Noto Sans SC comes from the `zhplot` package (10.6 MB, OFL); importing that package changes matplotlib's settings, so the
file is found without importing it. What Noto lacks (subscripts, ⌈ ⌉) is taken from the DejaVu Sans inside matplotlib.
"""

import importlib.util
from functools import cache
from pathlib import Path


def _inside(package: str, *parts: str) -> Path:
    return Path(importlib.util.find_spec(package).submodule_search_locations[0], *parts)


def noto_path() -> Path:
    return _inside("zhplot", "fonts", "NotoSansSC-Regular.ttf")


def _dejavu_path() -> Path:
    return _inside("matplotlib", "mpl-data", "fonts", "ttf", "DejaVuSans.ttf")


EM = 250  # units to the em in what we write: a twentieth of a pixel at reading size, and short numbers
_TINY = set("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺·")  # Noto has only some of these, or has them as wide as a Chinese character


@cache
def _font(index: int):
    from fontTools.ttLib import TTFont

    font = TTFont((noto_path, _dejavu_path)[index](), lazy=True)
    return font.getBestCmap(), font.getGlyphSet(), EM / font["head"].unitsPerEm


@cache
def outline(char: str) -> tuple[str, int]:
    """The SVG path of one character, y pointing down from the baseline, and how far it advances; EM units to the em."""
    for index in (1, 0) if char in _TINY else (0, 1):
        names, glyphs, scale = _font(index)
        if ord(char) in names:
            glyph = glyphs[names[ord(char)]]
            return _path(glyphs, glyph, scale), round(glyph.width * scale)
    return outline("?")  # in neither font: a question mark is honest, a hollow box is not


def width(text: str, size: float) -> float:
    return sum(outline(char)[1] for char in text) * size / EM


def _path(glyphs, glyph, scale: float) -> str:
    """The outline in whole, relative steps: a third of the bytes of absolute coordinates."""
    from fontTools.pens.basePen import decomposeQuadraticSegment
    from fontTools.pens.recordingPen import DecomposingRecordingPen

    pen = DecomposingRecordingPen(glyphs)
    glyph.draw(pen)
    at, parts = (0, 0), []

    def step(letter, *points):
        nonlocal at
        whole = [(round(x * scale), round(-y * scale)) for x, y in points]
        text = " ".join(f"{x - at[0]} {y - at[1]}" for x, y in whole).replace(" -", "-")
        parts.append(letter + text)
        at = whole[-1]

    for command, points in pen.value:
        if command == "moveTo":
            step("m", *points)
            start = at
        elif command == "lineTo":
            step("l", *points)
        elif command == "qCurveTo":
            if points[-1] is None:  # a contour of control points alone: begin between the last and the first
                first, last = points[0], points[-2]
                middle = ((first[0] + last[0]) / 2, (first[1] + last[1]) / 2)
                step("m", middle)
                start, points = at, (*points[:-1], middle)
            for control, end in decomposeQuadraticSegment(points):
                step("q", control, end)
        elif command == "curveTo":
            step("c", *points)
        else:
            parts.append("z")
            at = start
    return "".join(parts)
