"""How fast the same work goes with ever more programs: it rises while all fit, and falls with the first that does not."""

from . import style
from .canvas import Canvas
from .picture import Picture
from .plot import Axis, Plot
from .units import short


def grid_sizes(curves, *, fits, title="", copy=None) -> Picture:
    """Curves are {name: {programs per SM: GB/s}}; `fits` programs are resident at once, then again, then again.

    With the speed of a `copy`, Little's law is drawn as well: so many programs, so many times the speed of one, up to that of the
    copy.
    """
    most = max(programs for points in curves.values() for programs in points)
    top = max(copy or 0, *(value for points in curves.values() for value in points.values()))
    canvas = Canvas(style.WIDTH, 380)
    plot = Plot(canvas, 66, 78, canvas.width - 150, 318, Axis(0, most), Axis(0, top * 1.08))
    canvas.text(24, 32, title, style.BODY, "ink", bold=True, fit=canvas.width - 48)
    for k, full in enumerate(range(fits, most + 1, fits)):
        if k % 2 == 0:  # every other load of programs on a quiet ground
            x0, x1 = plot.at(full - fits, 0)[0], plot.at(full, 0)[0]
            canvas.rect(x0, plot.top, x1 - x0, plot.bottom - plot.top, "wash")
    plot.grid(range(0, most + 1, fits // 2 or 1), y_text=short)
    plot.titles("每个 SM 启动的 program · programs launched per SM", "GB/s")
    for k, points in enumerate(curves.values()) if copy else ():
        law = [(0, 0), (copy / points[1], copy), (most, copy)]
        plot.line(law, style.counted(5 + k), line=1.5, dash="5 4")
    for k, (name, points) in enumerate(curves.items()):
        colour, path = style.counted(5 + k), sorted(points.items())
        plot.line(path, colour, line=2)
        for programs, value in path:
            tip = f"{name}, {programs}: {value:.0f} GB/s"
            canvas.circle(*plot.at(programs, value), 3.5, colour, "paper", tip=tip)
        y = 100 + 26 * k
        canvas.rect(plot.right + 16, y - 9, 10, 10, colour, round_=2)
        canvas.text(plot.right + 32, y, name, style.SMALL, "ink", fit=canvas.width - plot.right - 40)
    x, _ = plot.at(fits, 0)
    canvas.lines([(x, plot.top), (x, plot.bottom)], "alarm", line=1.5, dash="4 3")
    canvas.text(x, plot.top - 6, f"同时驻留 {fits} 个 · {fits} fit", style.SMALL, "alarm", "middle", bold=True)
    if copy:
        x, y = plot.at(most, copy)
        canvas.text(x, y - 6, "利特尔法则 · Little's law", style.SMALL, "mute", "end")
    told = "; ".join(
        f"{name}: {', '.join(f'{p} → {points[p]:.0f}' for p in (fits, fits + 1, 2 * fits) if p in points)} GB/s"
        for name, points in curves.items()
    )
    return Picture(
        canvas,
        f"{title}。每个 SM 的 program 数 → 速度：{told}",
        f"{title}. Programs per SM → speed: {told}",
    )
