"""The tail: times measured for ever more rows, held against two ways to predict them."""

import math

from . import style
from .chart import Axis, Curve, chart
from .picture import Picture


def by_waves(rows: int, programs: int, wave: float) -> float:
    """The time if all programs march in step: every wave lasts as long as a full one."""
    return math.ceil(rows / programs) * wave


def by_bytes(rows: int, programs: int, wave: float) -> float:
    """The time if it goes with the bytes alone."""
    return rows / programs * wave


def tail(times, programs, *, title="") -> Picture:
    """`times` are {rows: microseconds}, measured with so many programs; one row for each of them is a full wave."""
    wave, most = times[programs], max(times)
    high = 1.1 * max(by_waves(rows, programs, wave) for rows in times)
    waves = math.ceil(most / programs)
    end = min(programs * waves, most * 1.02)  # both lines go on to here, a little beyond the last point
    stairs = {
        min(programs * k + step, end): by_waves(programs * k + 1, programs, wave)
        for k in range(waves)
        for step in (1e-6, programs)
    }
    frame = chart(
        [
            Curve("数波次 · count waves", stairs, "naive", dots=0),
            Curve("数字节 · count bytes", {0: 0, end: by_bytes(end, programs, wave)}, "read", dots=0),
            Curve("实测 · measured", times, "ink", line=0, dots=5),
        ],
        Axis("行数 M · rows M", 0, most * 1.02, ticks=[programs * k for k in range(most // programs + 1)], text=str),
        Axis("µs", 0, high),
        title,
        height=400,
    )
    if one_more := times.get(programs + 1):  # the point that the two ways of counting disagree on most
        x, y = frame.at(programs + 1, one_more)
        frame.canvas.text(x + 8, y + 20, f"M = {programs + 1}: {one_more:.1f} µs", style.SMALL, "ink")
    missed = {way: max(abs(f(rows, programs, wave) / time - 1) for rows, time in times.items() if rows >= programs)
              for way, f in (("waves", by_waves), ("bytes", by_bytes))}  # fmt: skip
    return Picture(
        frame.canvas,
        f"{title}：从一个整波起，数波次最多差 {missed['waves']:.0%}，数字节最多差 {missed['bytes']:.0%}。",
        f"{title}: from a full wave on, counting waves is off by up to {missed['waves']:.0%}, counting bytes by up to {missed['bytes']:.0%}.",
    )
