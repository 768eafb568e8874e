"""Bars: bytes that were moved; and every single time as a dot."""

from statistics import quantiles

from ..language import Text
from . import style
from .canvas import Canvas
from .chart import Axis, Curve, chart
from .picture import Picture
from .units import seconds, size

ROW, LEFT = 48, 176
MOVED = {"read": "读 · read", "write": "写 · written"}


def traffic_bars(entries) -> Picture:
    """One bar a way of computing: entries are (label, bytes read, bytes written); the last is the measure."""
    entries = [(Text.of(label), float(read), float(written)) for label, read, written in entries]
    top = 56
    canvas = Canvas(top + ROW * len(entries) + 14)
    longest = max(read + written for _, read, written in entries) or 1
    least = entries[-1][1] + entries[-1][2] or 1
    room = canvas.width - LEFT - 190
    canvas.legend(LEFT, 36, MOVED)
    for i, (label, read, written) in enumerate(entries):
        y, wide = top + i * ROW, [room * part / longest for part in (read, written)]
        canvas.text(LEFT - 12, y + 21, label, style.BODY, "ink", "end", fit=LEFT - 24)
        canvas.rect(LEFT, y, wide[0], 30, "read", tip=size(read))
        canvas.rect(LEFT + wide[0], y, wide[1], 30, "write", tip=size(written))
        text = size(read + written)
        if i < len(entries) - 1:
            text += f"  =  {(read + written) / least:.3g}×"
        canvas.text(LEFT + sum(wide) + 10, y + 21, text, style.BODY, "ink", bold=True)
    zh = "；".join(f"{label.zh} {size(r + w)}" for label, r, w in entries)
    en = "; ".join(f"{label.en} {size(r + w)}" for label, r, w in entries)
    return Picture(canvas, f"搬动的字节：{zh}", f"Bytes moved: {en}")


def timing_in_order(times) -> Picture:
    """Every single measurement as a dot, in the order in which they were made: [seconds, …]."""
    times = list(map(float, times))
    frame = chart(
        [],
        Axis("第几次启动 · number of the launch", 0, len(times)),
        Axis("用时 · time", 0, max(times) * 1.06, text=_seconds),
        height=340,
    )
    frame.curve(Curve("", dict(enumerate(times)), "course", line=0, dots=3))
    tens = [(first, times[first : first + 10]) for first in range(0, len(times), 10)]
    told = ", ".join(f"{first}–{first + len(ten) - 1}: {seconds(_quartiles(ten)[1])}" for first, ten in tens)
    return Picture(
        frame.canvas,
        f"每次启动一个点，每十次的中位数：{told}",
        f"A dot a launch; the median of every ten: {told}",
    )


def _quartiles(times) -> list[float]:
    return quantiles(times, n=4, method="inclusive") if len(times) > 1 else list(times) * 3


def _seconds(time: float) -> str:
    return seconds(time) if time else "0"
