"""The last round: how busy a grid of programs is, by the number of rows."""

import math

from . import style
from .canvas import Canvas
from .picture import Picture
from .plot import Axis, Plot


def busy(rows: int, programs: int) -> float:
    """The part of the programs' time that goes into rows: rounds last as long as one row, also for those that have none."""
    rounds = math.ceil(rows / programs)
    return rows / (rounds * programs)


def teeth(programs: int, most: int):
    """The corners of the curve: it rises to 1 when a round is full, and falls when one more row opens the next round."""
    corners = [(0, 0.0)]
    for full in range(programs, most + programs, programs):
        corners += [(min(full, most), busy(min(full, most), programs))]
        if full < most:
            corners += [(full + 1, busy(full + 1, programs))]
    return corners


def tail(programs=(132, 1056), most=4500, at=4096) -> Picture:
    """A curve for each number of programs, from no rows to `most`; `at` is the number of rows to mark."""
    canvas = Canvas(style.WIDTH, 350)
    plot = Plot(canvas, 62, 70, canvas.width - 150, 282, Axis(0, most), Axis(0, 1.0))
    plot.grid(plot.x.ticks(), y_text=lambda share: f"{share:.0%}")
    canvas.text(24, 32, "在干活的部分 · share of time in use", style.BODY, "ink")
    plot.titles("行数 M · rows", "")
    for k, count in enumerate(programs):
        colour, value = style.counted(2 * k), busy(at, count)
        plot.line(teeth(count, most), colour, line=2)
        canvas.circle(*plot.at(at, value), 5, colour, "ink", line=1.5, tip=f"P = {count}, M = {at}: {value:.2%}")
        canvas.rect(plot.right + 16, 90 + 24 * k - 9, 10, 10, colour, round_=2)
        canvas.text(plot.right + 32, 90 + 24 * k, f"P = {count}", style.BODY, "ink")
    x, _ = plot.at(at, 0)
    canvas.lines([(x, plot.top), (x, plot.bottom)], "ink", line=1.2, dash="3 3")
    canvas.text(x, plot.top - 6, f"M = {at}", style.SMALL, "ink", "middle", bold=True)
    listed = "，".join(f"P = {count} 时 {busy(at, count):.2%}" for count in programs)
    listed_en = ", ".join(f"P = {count}: {busy(at, count):.2%}" for count in programs)
    return Picture(
        canvas,
        f"{at} 行，程序在干活的部分：{listed}。",
        f"{at} rows, the part of the programs' time in use: {listed_en}.",
    )
