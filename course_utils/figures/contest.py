"""Who is ahead: one small chart for each opponent, in each of them the ruler and one's own curve."""

from . import style
from .canvas import Canvas
from .chart import Axis, Curve, Frame
from .picture import Picture
from .units import short

TOP, HIGH, LOW, GAP = 76, 136, 66, 16  # the head; a chart; what is around it


def contest(curves, own: str, *, title="", share_of=None, at=None) -> Picture:
    """Curves are {provider: {columns: GB/s}}, a "copy" among them and perhaps `own`. `share_of` names the provider that counts as 1; at
    `at` columns each is told in numbers."""
    if share_of is not None:
        base = curves[share_of]
        curves = {who: {n: gbs / base[n] for n, gbs in points.items() if n in base} for who, points in curves.items()}
    columns = sorted({n for points in curves.values() for n in points})
    at = at if at in columns else columns[-1]
    text = "{:.0%}".format if share_of else short
    opponents = [who for who in curves if who not in ("copy", own)]
    across = 2 if style.narrow() else 4
    wide = (style.WIDTH - 24) / across
    canvas = Canvas(TOP + (HIGH + LOW) * -(-len(opponents) // across) + 26, title)
    _head(canvas, {"copy": "┄", own: "●"}, curves, at, text)
    x = Axis("", columns[0], columns[-1], log=2, ticks=[256, 4096, 65536])
    top = max(value for points in curves.values() for value in points.values())
    y = Axis("", 0, top * 1.05, text=text)
    y.ticks = y.ticks[:: max(1, len(y.ticks) // 3)]
    for k, who in enumerate(opponents):
        left, upper = 12 + k % across * wide, TOP + k // across * (HIGH + LOW) + 30
        frame = Frame(canvas, left + 48, upper, left + wide - GAP, upper + HIGH, x, y)
        frame.line([(at, y.low), (at, y.high)], "mute", line=1, dash="3 3")
        for name in ("copy", own, who):
            frame.curve(_curve(name, curves.get(name, {}), strong=name == own))
        value = _told(curves[who], at, text)
        room = canvas.text(frame.right, upper - 10, value, style.SMALL, "ink", "end")
        canvas.rect(frame.left, upper - 20, 11, 11, style.provider(who), round_=2)
        canvas.text(frame.left + 17, upper - 10, who, style.SMALL, bold=True, fit=frame.right - frame.left - 25 - room)
    loose = "；点：4 不整除 N · columns N; dots: 4 does not divide N" if any(n % 4 for n in columns) else " · columns N"
    canvas.text(canvas.width / 2, canvas.height - 14, f"列数 N{loose}", style.SMALL, "mute", "middle")
    found = sorted(((points[at], name) for name, points in curves.items() if at in points), reverse=True)
    listed = ", ".join(f"{name} {text(value) if share_of else f'{value:.0f} GB/s'}" for value, name in found)
    return Picture(canvas, f"{title}；N = {at} 时：{listed}", f"{title}; at N = {at}: {listed}")


def _head(canvas, marks, curves, at, text):
    """What is in every chart, and where the numbers are taken."""
    x = 24 + canvas.text(24, 60, f"N = {at}", style.SMALL, "mute") + 22
    for name, mark in marks.items():
        x += canvas.text(x, 60, mark, style.BODY, style.provider(name), bold=True) + 6
        x += canvas.text(x, 60, f"{name} {_told(curves.get(name, {}), at, text)}", style.SMALL, bold=mark == "●") + 20


def _curve(name, points, strong) -> Curve:
    """Widths that 4 does not divide are another matter: dots beside the curve."""
    whole, loose = ({n: v for n, v in points.items() if bool(n % 4) == odd} for odd in (False, True))
    if name == "copy":
        return Curve(name, points, style.provider(name), line=1.8, dash="5 3", dots=0)
    return Curve(name, whole, style.provider(name), line=3 if strong else 1.8, dots=0, beside=loose)


def _told(points, at, text) -> str:
    return text(points[at]) if at in points else "–"
