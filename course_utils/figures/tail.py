"""The tail: times measured for ever more rows, held against two ways to predict them."""

import math

from . import style
from .canvas import Canvas
from .picture import Picture
from .plot import Axis, Plot


def by_waves(rows: int, programs: int, wave: float) -> float:
    """The time if all programs march in step: every wave lasts as long as a full one."""
    return math.ceil(rows / programs) * wave


def by_bytes(rows: int, programs: int, wave: float) -> float:
    """The time if it goes with the bytes alone."""
    return rows / programs * wave


def tail(times, programs, *, title="") -> Picture:
    """`times` are {rows: microseconds}, measured with so many programs; one row for each of them is a full wave."""
    canvas, wave, most = Canvas(style.WIDTH, 390), times[programs], max(times)
    high = 1.1 * max(by_waves(rows, programs, wave) for rows in times)
    plot = Plot(canvas, 70, 92, canvas.width - 190, 320, Axis(0, most * 1.02), Axis(0, high))
    canvas.text(24, 32, title, style.BODY, "ink", bold=True, fit=canvas.width - 48)
    waves = math.ceil(most / programs)
    plot.grid([programs * k for k in range(most // programs + 1)], x_text=lambda rows: f"{rows:.0f}")
    plot.titles("行数 M · rows", "µs")
    end = min(programs * waves, most * 1.02)  # both lines go on to here, a little beyond the last point
    stairs = [
        (min(programs * k + step, end), by_waves(programs * k + 1, programs, wave))
        for k in range(waves)
        for step in (0, programs)
    ]
    plot.line(stairs, "naive", line=2)
    plot.line([(0, 0), (end, by_bytes(end, programs, wave))], "read", line=2)
    for rows, time in sorted(times.items()):
        canvas.circle(*plot.at(rows, time), 4.5, "ink", "paper", tip=f"M = {rows}: {time:.1f} µs")
    if one_more := times.get(programs + 1):  # the point that the two ways of counting disagree on most
        x, y = plot.at(programs + 1, one_more)
        canvas.text(x + 8, y + 18, f"M = {programs + 1}: {one_more:.1f} µs", style.SMALL, "ink")
    entries = (("naive", "数波次", "count waves"), ("read", "数字节", "count bytes"), ("ink", "H200 实测", "measured"))
    for k, (colour, zh, en) in enumerate(entries):
        y = plot.top + 14 + 44 * k
        canvas.rect(plot.right + 20, y - 9, 10, 10, colour, round_=2)
        canvas.stacked(plot.right + 38, y, zh, en, style.BODY, "ink", "start")
    missed = {way: max(abs(f(rows, programs, wave) / time - 1) for rows, time in times.items() if rows >= programs)
              for way, f in (("waves", by_waves), ("bytes", by_bytes))}  # fmt: skip
    return Picture(
        canvas,
        f"{title}：从一个整波起，数波次最多差 {missed['waves']:.0%}，数字节最多差 {missed['bytes']:.0%}。",
        f"{title}: from a full wave on, counting waves is off by up to {missed['waves']:.0%}, counting bytes by up to {missed['bytes']:.0%}.",
    )
