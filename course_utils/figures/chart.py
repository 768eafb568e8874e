"""Curves on axes, the one way the course draws them: round numbers on a grid, and every curve named where it ends."""

import math
from dataclasses import dataclass

from ..language import LANGUAGES, Text
from . import glyphs, style
from .canvas import Canvas
from .units import short

MARGIN, ROW = 24, 24


class Axis:
    """A range of numbers under a name, linear or (`log`, a base) logarithmic, and the round numbers in it."""

    def __init__(self, name, low, high, *, log=0, ticks=None, text=None):
        self.name, self.low, self.high, self.log = name, float(low), float(high), log
        self.ticks = self._round() if ticks is None else ticks
        self.text = text or ((lambda n: str(round(n))) if log else short)

    def share(self, value) -> float:
        """0 at the low end, 1 at the high end."""
        if self.log:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def _round(self) -> list[float]:
        if self.log:
            first, last = (math.log(end, self.log) for end in (self.low, self.high))
            return [float(self.log) ** k for k in range(math.ceil(first - 1e-9), math.floor(last + 1e-9) + 1)]
        raw = (self.high - self.low) / 6
        power = 10.0 ** math.floor(math.log10(raw))
        step = next(power * m for m in (1, 2, 5, 10) if power * m >= raw - 1e-12)
        return [k * step for k in range(math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9) + 1)]


@dataclass(frozen=True)
class Curve:
    """`line` is its width, 0 for dots alone; `dots` their radius, 0 for none."""

    name: str | Text
    points: dict[float, float]
    colour: str
    value: str = ""  # stands behind its name
    line: float = 2.0
    dash: str | None = None
    dots: float = 4.0


class Frame:
    """A box on the canvas with two axes; `at` says where in it two numbers are."""

    def __init__(self, canvas: Canvas, left, top, right, bottom, x: Axis, y: Axis):
        self.canvas, self.x, self.y = canvas, x, y
        self.left, self.top, self.right, self.bottom = left, top, right, bottom
        self._grid()

    def at(self, x, y):
        return (
            self.left + self.x.share(x) * (self.right - self.left),
            self.bottom - self.y.share(y) * (self.bottom - self.top),
        )

    def _grid(self):
        """A line at every round number, and the numbers themselves where there is room for them."""
        end = 0.0
        for value in self.x.ticks:
            text, (x, _) = self.x.text(value), self.at(value, self.y.low)
            half = glyphs.width(text, style.SMALL) / 2
            place = min(x, self.canvas.width - half - 6) if style.narrow() else x
            self.canvas.lines([(x, self.top), (x, self.bottom)], "grid", line=1)
            if place - half > end + 8 and place + half < self.canvas.width:
                self.canvas.text(place, self.bottom + 20, text, style.SMALL, "mute", "middle")
                end = place + half
        for value in self.y.ticks:
            _, y = self.at(self.x.low, value)
            self.canvas.lines([(self.left, y), (self.right, y)], "grid", line=1)
            self.canvas.text(self.left - 8, y + 5, self.y.text(value), style.SMALL, "mute", "end")
        self.canvas.text((self.left + self.right) / 2, self.bottom + 44, self.x.name, style.BODY, "ink", "middle")
        self.canvas.text(self.left - 8, self.top - 16, self.y.name, style.BODY)

    def line(self, points, colour, **more):
        self.canvas.lines([self.at(x, y) for x, y in points], colour, **more)

    def curve(self, curve: Curve):
        if curve.line and len(curve.points) > 1:
            self.line(sorted(curve.points.items()), curve.colour, line=curve.line, dash=curve.dash)
        for x, y in sorted(({} if not curve.dots else curve.points).items()):
            tip = f"{Text.of(curve.name).en}, {self.x.text(x)}: {self.y.text(y)}"
            self.canvas.circle(*self.at(x, y), curve.dots, curve.colour, "paper", tip=tip)

    def mark(self, x, label, y=None):
        """A dashed line upwards at `x`, its label above it; `y` is where it ends, if not at the top."""
        place, top = self.at(x, self.y.high if y is None else y)
        self.canvas.lines([(place, self.bottom), (place, top)], line=1.4, dash="4 3")
        self.canvas.text(place, self.top - 8, label, style.SMALL, "ink", "middle", bold=True)

    def end(self, curve):
        """How high it ends."""
        return self.at(self.x.low, curve.points[max(curve.points)])[1]

    def below(self, curves, rows):
        """The curves' names in so many rows below the axes, those that end highest first."""
        wide = (self.canvas.width - 2 * MARGIN) / math.ceil(len(curves) / rows)
        for k, curve in enumerate(curves):
            x, y = MARGIN + k // rows * wide, self.bottom + 78 + k % rows * ROW
            self.canvas.rect(x, y - 11, 11, 11, curve.colour, round_=2)
            value = self.canvas.text(x + wide - 16, y, curve.value, style.SMALL, "ink", "end")
            self.canvas.text(x + 18, y, curve.name, style.SMALL, fit=wide - 42 - value)

    def names(self, curves):
        """The curves' names to the right, each near its end, and none on another."""
        ordered = sorted(curves, key=self.end)
        right = self.canvas.width - 14
        for y, curve in zip(_apart([*map(self.end, ordered)], 23, self.bottom), ordered, strict=True):
            self.canvas.rect(self.right + 14, y - 6, 11, 11, curve.colour, round_=2)
            wide = self.canvas.text(right, y + 5, curve.value, style.SMALL, "ink", "end")
            self.canvas.text(self.right + 32, y + 5, curve.name, style.SMALL, fit=right - wide - self.right - 40)


def chart(curves: list[Curve], x: Axis, y: Axis, title="", *, height=420) -> Frame:
    """A canvas with the curves on it. What a figure adds goes onto the frame that is returned."""
    named = [curve for curve in curves if curve.name]
    rows = len(named) if max(map(_width, named), default=0) > 150 else math.ceil(len(named) / 2)
    canvas = Canvas(height + style.narrow() * (rows * ROW + 4), title)
    left = MARGIN + 8 + max(glyphs.width(y.text(value), style.SMALL) for value in y.ticks or [0])
    room = 54 + min(max(map(_width, named)), 190) if named and not style.narrow() else MARGIN
    top = 28 + 28 * bool(y.name) + 36 * bool(title)
    frame = Frame(canvas, left, top, canvas.width - room, height - 64, x, y)
    for curve in curves:
        frame.curve(curve)
    if style.narrow():
        frame.below(sorted(named, key=frame.end), rows) if named else None
    else:
        frame.names(named)
    return frame


def _width(curve: Curve) -> float:
    name = Text.of(curve.name)
    wide = max(glyphs.width(getattr(name, language), style.SMALL) for language in LANGUAGES)
    return wide + (glyphs.width(curve.value, style.SMALL) + 12 if curve.value else 0)


def _apart(places, gap, lowest):
    """The same heights from the top down, moved as little as keeps them `gap` apart and above `lowest`."""
    moved = []
    for y in places:
        moved.append(max(y, moved[-1] + gap) if moved else y)
    for k in range(len(moved) - 1, -1, -1):
        moved[k] = min(moved[k], lowest - gap * (len(moved) - 1 - k))
    return moved
