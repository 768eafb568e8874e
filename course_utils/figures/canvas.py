"""A sheet to draw on, written out as SVG.

Why not matplotlib: a course is full of diagrams (lanes, boxes, arrows), for which it offers little; one redraw takes it
60 ms or more where this takes 2; and its SVG changes from version to version, so nbval could not compare a stored picture.
What this writes depends on its arguments alone: the same bytes on every machine, Python and library version.
"""

from dataclasses import dataclass
from html import escape

from ..language import LANGUAGES, Text
from . import glyphs, style


def number(value: float) -> str:
    """A coordinate: one decimal, no trailing zeros, never -0."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def attributes(fill, stroke=None, line=None) -> str:
    """Colours for light paper; the classes let a rule change them on dark paper."""
    changing = [
        (kind, name) for kind, name in (("f", fill), ("s", stroke)) if name and len(set(style.COLOURS[name])) > 1
    ]
    text = f' class="{" ".join(f"{kind}-{name}" for kind, name in changing)}"' if changing else ""
    text += f' fill="{style.COLOURS[fill][0] if fill else "none"}"'
    return text + (f' stroke="{style.COLOURS[stroke][0]}" stroke-width="{number(line)}"' if stroke else "")


class Canvas:
    def __init__(self, height: float, title: str | Text = ""):
        self.width, self.height = style.WIDTH, height
        self._parts: list[str | _Label] = []
        self._colours: set[str] = set()
        self.text(24, 33, title, style.BODY, "ink", bold=True, fit=self.width - 48)

    # ---- shapes: coordinates are x right, y down; colours are names from style.COLOURS

    def rect(self, x, y, w, h, fill=None, stroke=None, *, line=1.0, round_=0, dash=None, opacity=None, tip=None):
        self._shape(
            f'rect x="{number(x)}" y="{number(y)}" width="{number(max(w, 0))}" height="{number(max(h, 0))}"'
            + (f' rx="{number(round_)}"' if round_ else ""),
            fill, stroke, line, dash, opacity, tip,
        )  # fmt: skip

    def rects(self, places, fill, *, opacity=None):
        """Many rectangles (x, y, w, h) of one colour, in few bytes."""
        path = "".join(f"M{number(x)} {number(y)}h{number(w)}v{number(h)}h{number(-w)}z" for x, y, w, h in places)
        if path:
            self._shape(f'path d="{path}"', fill, opacity=opacity)

    def circle(self, x, y, r, fill=None, stroke=None, *, line=1.0, tip=None):
        self._shape(f'circle cx="{number(x)}" cy="{number(y)}" r="{number(r)}"', fill, stroke, line, tip=tip)

    def lines(self, points, stroke="ink", *, line=1.5, dash=None, opacity=None, fill=None, tip=None):
        """One line through all the points; with `fill`, the area that it closes."""
        path = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points)
        if fill:
            path += "Z"
        join = ' stroke-linejoin="round"' if len(points) > 2 and stroke else ""
        self._shape(f'path d="{path}"{join}', fill, stroke, line, dash, opacity, tip)

    def curve(self, start, end, stroke="ink", *, line=1.5, dash=None):
        """A smooth line that leaves and arrives vertically."""
        (x0, y0), (x1, y1) = start, end
        mid = (y0 + y1) / 2
        path = f"M{number(x0)} {number(y0)}C" + " ".join(number(v) for v in (x0, mid, x1, mid, x1, y1))
        self._shape(f'path d="{path}"', None, stroke, line, dash)

    def arrow(self, start, end, stroke="ink", *, line=1.8, head=7.0):
        (x0, y0), (x1, y1) = start, end
        length = max(((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5, 1e-9)
        ux, uy = (x1 - x0) / length, (y1 - y0) / length
        bx, by = x1 - ux * head, y1 - uy * head
        self.lines([(x0, y0), (bx, by)], stroke, line=line)
        wing = head * 0.55
        self.lines([(x1, y1), (bx - uy * wing, by + ux * wing), (bx + uy * wing, by - ux * wing)], None, fill=stroke)

    def hatch(self, x, y, w, h, stroke="mute", *, gap=6.0):
        """Slanted lines over a rectangle: masked, idle, not there."""
        parts, offset = [], gap / 2
        while offset < w + h:
            x0, y0 = (x + offset, y) if offset <= w else (x + w, y + offset - w)
            x1, y1 = (x, y + offset) if offset <= h else (x + offset - h, y + h)
            parts.append(f"M{number(x0)} {number(y0)}L{number(x1)} {number(y1)}")
            offset += gap
        if parts:
            self._shape(f'path d="{"".join(parts)}"', None, stroke, 1.0)

    # ---- text

    def text(self, x, y, label, size=style.BODY, fill="ink", anchor="start", *, bold=False, fit=None):
        """One line of text, its baseline at y: the same in both languages, or a `Text`, or a label such as "列数 · columns".

        `fit` is the width it may take: it shrinks to stay inside. Returns its width in the longer language.
        """
        label = _Label(x, y, Text.of(label), size, fill, anchor, bold, fit)
        self._colour(fill)
        self._parts.append(label)
        return max(label.size_and_width(language)[1] for language in LANGUAGES)

    def legend(self, x, y, entries):
        """Squares of these colours and what they mean, {colour: label}, from left to right; returns where they end."""
        for colour, label in entries.items():
            self.rect(x, y - 11, 12, 12, colour, round_=2)
            x += 18 + self.text(x + 18, y, label, style.SMALL, "mute") + 20
        return x

    # ---- writing it out

    def _colour(self, *names):
        self._colours.update(name for name in names if name and len(set(style.COLOURS[name])) > 1)

    def _shape(self, head, fill, stroke=None, line=None, dash=None, opacity=None, tip=None):
        self._colour(fill, stroke)
        text = f"<{head}{attributes(fill, stroke, line)}"
        if dash:
            text += f' stroke-dasharray="{dash}"'
        if opacity is not None:
            text += f' opacity="{number(opacity)}"'
        self._parts.append(f"{text}><title>{escape(tip)}</title></{head.split()[0]}>" if tip else f"{text}/>")

    def svg(self, language: str, title: str = "", *, inline: bool = False) -> str:
        """The whole sheet on its paper, in "zh", "en" or "both" (for a page without a switch). Alone it follows the reader's
        colour scheme, `inline` JupyterLab's theme."""
        paper = Canvas(self.height)
        paper.rect(0.5, 0.5, self.width - 1, self.height - 1, "paper", "edge", round_=10)
        dark = [(name, style.COLOURS[name][1]) for name in sorted(self._colours | paper._colours)]
        where = '[data-jp-theme-light="false"] ' if inline else ""
        rules = "".join(f"{where}.f-{n}{{fill:{colour}}}{where}.s-{n}{{stroke:{colour}}}" for n, colour in dark)
        if not inline:
            rules = f"@media (prefers-color-scheme:dark){{{rules}}}"
        letters: set[str] = set()
        shapes = [
            each.svg(language, letters) if isinstance(each, _Label) else each for each in paper._parts + self._parts
        ]
        defs = [f'<path id="{_name(char)}" d="{glyphs.outline(char)[0]}"/>' for char in sorted(letters)]
        size = f'width="{number(self.width)}" height="{number(self.height)}"'
        called = f' role="img" aria-label="{escape(title)}"' if title else ""
        return "\n".join(
            (
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number(self.width)} {number(self.height)}" {size} '
                f'style="display:block;max-width:100%;height:auto;margin-bottom:3px"{called}>',
                f"<style>{rules}</style>",
                "<defs>" + "\n".join(defs) + "</defs>",
                "\n".join(filter(None, shapes)) + "</svg>",
            )
        )


@dataclass(frozen=True)
class _Label:
    """Text that is drawn when the language is known."""

    x: float
    y: float
    text: Text
    size: float
    fill: str
    anchor: str
    bold: bool
    fit: float | None

    def in_(self, language: str) -> str:
        if language == "both" and self.text.zh != self.text.en:
            return f"{self.text.zh} · {self.text.en}"
        return self.text.en if language == "en" else self.text.zh

    def size_and_width(self, language: str) -> tuple[float, float]:
        wide = glyphs.width(self.in_(language), self.size)
        return (self.size * self.fit / wide, self.fit) if self.fit and wide > self.fit else (self.size, wide)

    def svg(self, language: str, letters: set[str]) -> str:
        text, (size, wide) = self.in_(language), self.size_and_width(language)
        x = self.x - wide * {"start": 0, "middle": 0.5, "end": 1}[self.anchor]
        uses, at = [], 0
        for char in text:
            path, advance = glyphs.outline(char)
            if path:
                letters.add(char)
                uses.append(f'<use href="#{_name(char)}"' + (f' x="{at}"' if at else "") + "/>")
            at += advance
        if not uses:
            return ""
        place = f"translate({number(x)} {number(self.y)})scale({size / glyphs.EM:.4f})"
        colour = attributes(self.fill, *((self.fill, glyphs.EM * 0.034) if self.bold else ()))
        # What it says in letters is for whoever reads a difference between two pictures; a browser draws the outlines.
        return f'<g{colour} transform="{place}" data-text="{escape(text)}">{"".join(uses)}</g>'


def _name(char: str) -> str:
    return f"u{ord(char):x}"
