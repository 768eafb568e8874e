"""Axes: from numbers to places on the canvas."""

import math

from . import style
from .canvas import Canvas
from .units import short


class Axis:
    """A range of numbers, linear or logarithmic, and round numbers in it."""

    def __init__(self, low, high, *, log=False):
        self.low, self.high, self.log = float(low), float(high), log

    def share(self, value) -> float:
        """0 at the low end, 1 at the high end."""
        if self.log:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def ticks(self, about=6) -> list[float]:
        if self.log:
            first, last = math.ceil(math.log10(self.low) - 1e-9), math.floor(math.log10(self.high) + 1e-9)
            return [10.0**k for k in range(first, last + 1, max(1, math.ceil((last - first + 1) / (about + 2))))]
        raw = (self.high - self.low) / about
        power = 10.0 ** math.floor(math.log10(raw))
        step = next(power * m for m in (1, 2, 5, 10) if power * m >= raw - 1e-12)
        return [k * step for k in range(math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9) + 1)]


class Plot:
    """A box on the canvas with two axes."""

    def __init__(self, canvas: Canvas, left, top, right, bottom, x: Axis, y: Axis):
        self.canvas, self.x, self.y = canvas, x, y
        self.left, self.top, self.right, self.bottom = left, top, right, bottom

    def at(self, x, y):
        return (
            self.left + self.x.share(x) * (self.right - self.left),
            self.bottom - self.y.share(y) * (self.bottom - self.top),
        )

    def grid(self, x_ticks=None, y_ticks=None, x_text=short, y_text=short):
        for value in self.x.ticks() if x_ticks is None else x_ticks:
            x, _ = self.at(value, self.y.low)
            self.canvas.lines([(x, self.top), (x, self.bottom)], "grid", line=1)
            self.canvas.text(x, self.bottom + 18, x_text(value), style.SMALL, "mute", "middle")
        for value in self.y.ticks() if y_ticks is None else y_ticks:
            _, y = self.at(self.x.low, value)
            self.canvas.lines([(self.left, y), (self.right, y)], "grid", line=1)
            self.canvas.text(self.left - 8, y + 4, y_text(value), style.SMALL, "mute", "end")

    def titles(self, x: str, y: str):
        """The names of the axes: below the middle, and above the upper left corner."""
        self.canvas.text((self.left + self.right) / 2, self.bottom + 40, x, style.BODY, "ink", "middle")
        self.canvas.text(self.left, self.top - 14, y, style.BODY, "ink")

    def line(self, points, colour, **more):
        self.canvas.lines([self.at(x, y) for x, y in points], colour, **more)
