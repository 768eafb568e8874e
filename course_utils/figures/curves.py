"""Recorded measurements as curves: bandwidth, or share of a copy, against the number of columns."""

import math

from . import style
from .canvas import Canvas
from .picture import Picture
from .plot import Axis, Plot
from .units import short


def bandwidth_curves(curves, *, bands=None, title="", share_of=None, at=None, height=430) -> Picture:
    """Curves are {provider: {columns: GB/s}}; `bands`, {provider: {columns: (low, high)}}, are drawn behind them. `share_of`
    names the provider that counts as 1; `at` puts a crosshair there."""
    if share_of is not None:
        if share_of not in curves:
            raise ValueError(f"{share_of!r}: {', '.join(curves)}")
        base = curves[share_of]
        curves = {
            name: {n: value / base[n] for n, value in points.items() if n in base} for name, points in curves.items()
        }
    columns = sorted({n for points in curves.values() for n in points})
    top = max(value for points in curves.values() for value in points.values())
    canvas = Canvas(style.WIDTH, height)
    plot = Plot(
        canvas, 66, 78, canvas.width - 178, height - 62,
        Axis(columns[0], columns[-1], log=True), Axis(0, top * 1.05),
    )  # fmt: skip
    canvas.text(24, 32, title, style.BODY, "ink", bold=True, fit=canvas.width - 48)
    powers = [2**k for k in range(math.ceil(math.log2(columns[0])), math.floor(math.log2(columns[-1])) + 1)]
    plot.grid(powers[:: 1 + len(powers) // 11], x_text=lambda n: str(n), y_text=_percent if share_of else short)
    loose = {n for n in columns if n % 4}  # another matter: dots beside the curves
    dots = "（点：N 不能被 4 整除 · dots: 4 does not divide N）" if loose else ""
    plot.titles(f"列数 N · columns{dots}", f"÷ {share_of}" if share_of else "GB/s")
    ends = []
    for name, points in curves.items():
        colour = style.provider(name)
        path = sorted(points.items())
        band = sorted((bands or {}).get(name, {}).items())
        if band:
            outline = [(n, low) for n, (low, _) in band] + [(n, min(high, plot.y.high)) for n, (_, high) in band[::-1]]
            plot.line(outline, None, fill=colour, opacity=0.2)
        smooth = [(n, value) for n, value in path if n not in loose]
        plot.line(smooth, colour, line=3 if colour == "course" else 2, dash="6 4" if colour == "copy" else None)
        # A dense sweep needs no dots.
        for n, value in path if len(smooth) <= 30 else [point for point in path if point[0] in loose]:
            tip = f"{name}, N = {n}: {_percent(value) if share_of else f'{value:.0f} GB/s'}"
            canvas.circle(*plot.at(n, value), 3.5, colour, "paper", tip=tip)
        last = points.get(at) if at in columns else path[-1][1]
        ends.append((plot.at(columns[-1], path[-1][1] if last is None else last)[1], name, colour, last))
    for n in loose if len(columns) <= 30 else ():
        x, y = plot.at(n, min(points[n] for points in curves.values() if n in points))
        canvas.text(x + 8, y + 5, n, style.SMALL, "mute")
    if at in columns:
        x, _ = plot.at(at, 0)
        canvas.lines([(x, plot.top), (x, plot.bottom)], "ink", line=1.2, dash="3 3")
        canvas.text(x, plot.top - 6, f"N = {at}", style.SMALL, "ink", "middle", bold=True)
        for name, points in curves.items():
            if at in points:
                canvas.circle(*plot.at(at, points[at]), 5, style.provider(name), "ink", line=1.5)
    for y, (_, name, colour, value) in zip(
        _apart([end[0] for end in sorted(ends)], 18, plot.bottom), sorted(ends), strict=True
    ):
        canvas.rect(plot.right + 12, y - 5, 10, 10, colour, round_=2)
        value = "–" if value is None else _percent(value) if share_of else f"{value:.0f}"
        canvas.text(plot.right + 28, y + 4, f"{name}  {value}", style.SMALL, "ink", fit=canvas.width - plot.right - 36)
    where = at if at in columns else columns[-1]
    found = sorted(((p[where], n) for n, p in curves.items() if where in p), reverse=True)
    listed = ", ".join(f"{n} {_percent(v) if share_of else f'{v:.0f} GB/s'}" for v, n in found)
    return Picture(canvas, f"{title}；N = {where} 时：{listed}", f"{title}; at N = {where}: {listed}")


def _apart(places, gap, lowest):
    """The same heights from the top down, moved as little as keeps them `gap` apart and above `lowest`."""
    moved = []
    for y in places:
        moved.append(max(y, moved[-1] + gap) if moved else y)
    for k in range(len(moved) - 1, -1, -1):
        moved[k] = min(moved[k], lowest - gap * (len(moved) - 1 - k))
    return moved


def _percent(value):
    return f"{value:.0%}"
