"""Bars: bytes that were moved, time that was taken; and every single time as a dot."""

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


def timing_bars(entries, *, title="") -> Picture:
    """Medians with their spread: entries are (label, median, low, high) in seconds, low and high the 20% and 80% quantiles."""
    entries = [(Text.of(label), *map(float, numbers)) for label, *numbers in entries]
    top = 56 if title else 28
    canvas = Canvas(top + ROW * len(entries) + 40, title)
    room = canvas.width - LEFT - 110
    longest = max(high for *_, high in entries) or 1
    for i, (label, median, low, high) in enumerate(entries):
        y = top + i * ROW
        canvas.text(LEFT - 12, y + 21, label, style.BODY, "ink", "end", fit=LEFT - 24)
        canvas.rect(LEFT, y, room * median / longest, 30, style.provider(label.en), round_=2)
        ends, mid = [LEFT + room * v / longest for v in (low, high)], y + 15
        canvas.lines([(ends[0], mid), (ends[1], mid)], "ink", line=1.6)
        for x in ends:
            canvas.lines([(x, mid - 6), (x, mid + 6)], "ink", line=1.6)
        canvas.text(max(ends[1], LEFT + room * median / longest) + 10, y + 21, seconds(median), style.BODY, bold=True)
    note = "条：中位数；误差线：20% 和 80% 分位数 · bar: median; whiskers: 20% and 80% quantiles"
    canvas.text(LEFT, top + ROW * len(entries) + 22, note, style.SMALL, "mute")
    zh = "；".join(f"{label.zh} {seconds(median)}" for label, median, *_ in entries)
    en = "; ".join(f"{label.en} {seconds(median)}" for label, median, *_ in entries)
    named = f"{title}  " if title else ""
    return Picture(canvas, f"{named}用时（中位数）：{zh}", f"{named}Time (median): {en}")


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
