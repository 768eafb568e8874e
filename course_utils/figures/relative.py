"""Ways of doing the same, each against one of them: above the line is faster."""

import itertools
import math
from collections import Counter

from . import style
from .canvas import Canvas
from .picture import Picture
from .plot import Axis, Plot


def beside(base, ratios, *, title="", everywhere=False) -> Picture:
    """Curves that were divided by that of `base` already; if `everywhere`, at the widths alone that all of them have."""
    widths = (set.intersection if everywhere else set.union)(*map(set, ratios.values()))
    return relative_speeds({base: dict.fromkeys(widths, 1)} | ratios, base, title=title, missing=None)


def relative_speeds(curves, base, *, title="", missing=("没有数据", "no data")) -> Picture:
    """Curves are {way: {columns: speed}}; every one is divided by that called `base`, whose own line is 1.

    A cross at the bottom stands for a width that a curve lacks; `missing` says why. With None there are no crosses.
    """
    columns = sorted(curves[base])
    ratios = {
        name: {n: points[n] / curves[base][n] for n in columns if n in points}
        for name, points in curves.items()
        if name != base
    }
    found = [ratio for points in ratios.values() for ratio in points.values()]
    low, high = math.floor(min(*found, 0.98) * 20) / 20, math.ceil(max(*found, 1.02) * 20) / 20
    canvas = Canvas(style.WIDTH, 350)
    plot = Plot(
        canvas, 66, 70, canvas.width - 170, 282, Axis(columns[0], columns[-1], log=True), Axis(low, high)
    )  # fmt: skip
    canvas.text(24, 32, title, style.BODY, "ink", bold=True, fit=canvas.width - 48)
    steps = range(round(low * 20), round(high * 20) + 1, max(1, round((high - low) * 20) // 8))
    plot.grid([n for n in columns if n & (n - 1) == 0], [k / 20 for k in steps], str, lambda ratio: f"{ratio:.2f}")
    plot.titles("列数 N · columns", "")
    left, level = plot.at(columns[0], 1.0)
    canvas.lines([(left, level), (plot.right, level)], "ink", line=2.5)
    lacking = Counter()
    colours = {name: style.counted(k) for k, name in enumerate(ratios)}
    for name, points in ratios.items():
        colour = colours[name]
        plot.line(sorted(points.items()), colour, line=2)
        for n, ratio in sorted(points.items()):
            canvas.circle(
                *plot.at(n, ratio),
                2.5 if len(columns) >= 40 else 4,
                colour,
                "paper",
                tip=f"{name}, N = {n}: {ratio:.2f}",
            )
        for n in sorted(set(columns) - set(points)) if missing else ():
            lacking[n] += 1
            _cross(canvas, plot.at(n, low)[0], plot.bottom + 4 - 12 * lacking[n], colour)
    for k, name in enumerate([base, *ratios]):
        y = plot.top + 14 + 26 * k
        canvas.rect(plot.right + 20, y - 9, 10, 10, colours.get(name, "ink"), round_=2)
        canvas.text(plot.right + 36, y, name, style.SMALL, "ink", fit=canvas.width - plot.right - 44)
    if lacking:
        y = plot.top + 14 + 26 * len(curves) + 10
        _cross(canvas, plot.right + 25, y - 4, "mute")
        canvas.stacked(plot.right + 36, y, *missing, style.SMALL, "ink", "start")
    canvas.text(plot.left, plot.top - 12, "↑ 更快 · faster", style.SMALL, "mute")
    canvas.text(plot.left, plot.bottom + 38, "↓ 更慢 · slower", style.SMALL, "mute")
    told = _fastest(curves, columns)
    return Picture(canvas, f"{title}。各宽度下最快的：{told}", f"{title}. Fastest at each width: {told}")


def _fastest(curves, columns) -> str:
    """Who is fastest from where to where: "256–512 → torch, 1024 → tutorial"."""
    best = [max((name for name in curves if n in curves[name]), key=lambda name: curves[name][n]) for n in columns]
    runs = [list(run) for _, run in itertools.groupby(zip(best, columns, strict=True), key=lambda pair: pair[0])]
    return ", ".join(
        f"{run[0][1]}{f'–{run[-1][1]}' if len(run) > 1 else ''} → {run[0][0]}" for run in runs
    )  # fmt: skip


def _cross(canvas, x, y, colour, half=4):
    canvas.lines([(x - half, y - half), (x + half, y + half)], colour, line=2)
    canvas.lines([(x - half, y + half), (x + half, y - half)], colour, line=2)
