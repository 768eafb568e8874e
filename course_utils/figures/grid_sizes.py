"""How fast the same work goes with ever more programs: it rises while all fit, and falls with the first that does not."""

from . import style
from .chart import Axis, Curve, chart
from .picture import Picture


def grid_sizes(curves, *, fits, title="", copy=None) -> Picture:
    """Curves are {name: {programs per SM: GB/s}}; `fits` programs are resident at once, then again, then again.

    With the speed of a `copy`, Little's law is drawn as well: so many programs, so many times the speed of one, up to that of the
    copy.
    """
    most = max(programs for points in curves.values() for programs in points)
    top = max(copy or 0, *(value for points in curves.values() for value in points.values()))
    frame = chart(
        [Curve(name, points, style.counted(5 + k)) for k, (name, points) in enumerate(curves.items())],
        Axis("每个 SM 启动的 program · programs launched per SM", 0, most, ticks=range(0, most + 1, fits // 2 or 1)),
        Axis("GB/s", 0, top * 1.08),
        title,
        height=390,
    )
    for k, points in enumerate(curves.values()) if copy else ():
        law = [(0, 0), (copy / points[1], copy), (most, copy)]
        frame.line(law, style.counted(5 + k), line=1.5, dash="5 4")
    frame.mark(fits, f"同时驻留 {fits} 个 · {fits} fit", "alarm")
    if copy:
        x, y = frame.at(most, copy)
        frame.canvas.text(x, y - 6, "利特尔法则 · Little's law", style.SMALL, "mute", "end")
    told = "; ".join(
        f"{name}: {', '.join(f'{p} → {points[p]:.0f}' for p in (fits, fits + 1, 2 * fits) if p in points)} GB/s"
        for name, points in curves.items()
    )
    return Picture(
        frame.canvas,
        f"{title}。每个 SM 的 program 数 → 速度：{told}",
        f"{title}. Programs per SM → speed: {told}",
    )
