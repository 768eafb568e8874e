"""Ways of doing the same, side by side: how much memory each takes at most, and how fast each is over a range of sizes."""

from ..language import Text
from . import style
from .bars import LEFT, ROW
from .canvas import Canvas
from .chart import Axis, Curve, chart
from .picture import Picture
from .units import seconds, size


def memory_bars(entries, *, title="") -> Picture:
    """Entries are (label, bytes at the peak, seconds)."""
    entries = [(Text.of(label), float(peak), float(time)) for label, peak, time in entries]
    top = 56 if title else 28
    canvas = Canvas(top + ROW * len(entries) + 14, title)
    longest = max(peak for _, peak, _ in entries) or 1
    room = canvas.width - LEFT - 200
    for i, (label, peak, time) in enumerate(entries):
        y = top + i * ROW
        canvas.text(LEFT - 12, y + 21, label, style.BODY, "ink", "end", fit=LEFT - 24)
        canvas.rect(LEFT, y, room * peak / longest, 30, style.provider(label.en), round_=2)
        told = f"{size(peak)}   {seconds(time)}"
        canvas.text(LEFT + room * peak / longest + 10, y + 21, told, style.BODY, "ink", bold=True)
    zh = "；".join(f"{label.zh} {size(peak)}，{seconds(time)}" for label, peak, time in entries)
    en = "; ".join(f"{label.en} {size(peak)}, {seconds(time)}" for label, peak, time in entries)
    return Picture(canvas, f"{title}。最多占用的显存和用时：{zh}", f"{title}. Memory at the peak, and time: {en}")


def speed_curves(curves, x: str, y: str, *, title="", ceiling=None, low=0.0, text=None, ranges=False) -> Picture:
    """Curves are {way: {size: speed}}, sizes on a logarithmic axis; `ceiling` is (name, speed), a dashed line across.

    The description tells each curve's last value, or its lowest and highest (`ranges`).
    """
    sizes = sorted({n for points in curves.values() for n in points})
    top = max([v for points in curves.values() for v in points.values()] + [ceiling[1] if ceiling else 0])
    text = text or (lambda speed: f"{speed:.0f}")
    drawn = [
        Curve(
            name,
            points,
            style.provider(Text.of(name).en),
            text(points[max(points)]),
            line=3.5 if "course" in Text.of(name).en else 2,
        )
        for name, points in curves.items()
    ]
    if ceiling:
        line = {sizes[0]: ceiling[1], sizes[-1]: ceiling[1]}
        drawn.append(Curve(ceiling[0], line, "mute", text(ceiling[1]), dash="6 4", dots=0))
    frame = chart(drawn, Axis(x, sizes[0], sizes[-1], log=2), Axis(y, low, top * 1.04), title, height=400)
    told = [(Text.of(curve.name), _told(curve.points, sizes[-1], text, ranges)) for curve in drawn]
    zh = "，".join(f"{name.zh} {value}" for name, value in told)
    en = ", ".join(f"{name.en} {value}" for name, value in told)
    if ranges:
        return Picture(frame.canvas, f"{title}，最低到最高：{zh}", f"{title}, lowest to highest: {en}")
    name = Text.of(x)
    return Picture(
        frame.canvas, f"{title}；{name.zh} = {sizes[-1]} 时：{zh}", f"{title}; at {name.en} = {sizes[-1]}: {en}"
    )


def _told(points, last, text, ranges) -> str:
    if ranges:
        return f"{text(min(points.values()))} … {text(max(points.values()))}"
    return text(points[max(points)]) + ("" if max(points) == last else f" ({max(points)})")
