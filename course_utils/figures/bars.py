"""Bars: bytes that were moved, time that was taken."""

from . import style
from .canvas import Canvas
from .picture import Picture
from .plot import Axis, Plot
from .units import seconds, size


def traffic_bars(entries) -> Picture:
    """One bar a way of computing: entries are (label, bytes read, bytes written); the last is the measure."""
    entries = [(label, float(read), float(written)) for label, read, written in entries]
    row, top, left = 46, 56, 150
    canvas = Canvas(style.WIDTH, top + row * len(entries) + 14)
    longest = max(read + written for _, read, written in entries) or 1
    least = entries[-1][1] + entries[-1][2] or 1
    room = canvas.width - left - 190
    x = left
    for colour, zh, en in (("read", "读", "read"), ("write", "写", "written")):
        canvas.rect(x, 22, 14, 14, colour, round_=2)
        x += 20 + canvas.both(x + 20, 34, zh, en) + 22
    for i, (label, read, written) in enumerate(entries):
        y, wide = top + i * row, [room * part / longest for part in (read, written)]
        canvas.text(left - 12, y + 21, label, style.BODY, "ink", "end", fit=left - 24)
        canvas.rect(left, y, wide[0], 30, "read", tip=size(read))
        canvas.rect(left + wide[0], y, wide[1], 30, "write", tip=size(written))
        text = size(read + written)
        if i < len(entries) - 1:
            text += f"  =  {(read + written) / least:.3g}×"
        canvas.text(left + sum(wide) + 10, y + 21, text, style.BODY, "ink", bold=True)
    zh = "；".join(f"{_zh(label)} {size(r + w)}" for label, r, w in entries)
    en = "; ".join(f"{_en(label)} {size(r + w)}" for label, r, w in entries)
    return Picture(canvas, f"搬动的字节：{zh}", f"Bytes moved: {en}")


def timing_bars(entries, *, title="") -> Picture:
    """Medians with their spread: entries are (label, median, low, high) in seconds, low and high the 20% and 80% quantiles."""
    entries = [(label, *map(float, numbers)) for label, *numbers in entries]
    row, top, left = 46, 54 if title else 28, 170
    canvas = Canvas(style.WIDTH, top + row * len(entries) + 40)
    room = canvas.width - left - 110
    longest = max(high for *_, high in entries) or 1
    canvas.text(24, 32, title, style.BODY, "ink", bold=True, fit=canvas.width - 48)
    for i, (label, median, low, high) in enumerate(entries):
        y = top + i * row
        colour = style.provider(label)
        canvas.text(left - 12, y + 21, label, style.BODY, "ink", "end", fit=left - 24)
        canvas.rect(left, y, room * median / longest, 30, colour, round_=2)
        ends, mid = [left + room * v / longest for v in (low, high)], y + 15
        canvas.lines([(ends[0], mid), (ends[1], mid)], "ink", line=1.6)
        for x in ends:
            canvas.lines([(x, mid - 6), (x, mid + 6)], "ink", line=1.6)
        canvas.text(max(ends[1], left + room * median / longest) + 10, y + 21, seconds(median), style.BODY, bold=True)
    note = "条：中位数；误差线：20% 和 80% 分位数 · bar: median; whiskers: 20% and 80% quantiles"
    canvas.text(left, top + row * len(entries) + 22, note, style.SMALL, "mute")
    zh = "；".join(f"{_zh(label)} {seconds(median)}" for label, median, *_ in entries)
    en = "; ".join(f"{_en(label)} {seconds(median)}" for label, median, *_ in entries)
    named = f"{title}  " if title else ""
    return Picture(canvas, f"{named}用时（中位数）：{zh}", f"{named}Time (median): {en}")


_FAR = 2.5  # times the upper quartile: what lies beyond would squeeze all the rest together


def timing_samples(samples) -> Picture:
    """Every single measurement as a dot, its median and its quartiles: {label: [seconds, …]}. Outliers wait at the edge."""
    samples = {label: sorted(map(float, times)) for label, times in samples.items()}
    most = max(min(times[-1], _FAR * _quantile(times, 0.75)) for times in samples.values())
    row, top, left = 74, 24, 150
    canvas = Canvas(style.WIDTH, top + row * len(samples) + 54)
    right, bottom = canvas.width - 40, top + row * len(samples)
    plot = Plot(canvas, left, top, right, bottom, Axis(0, most * 1.04), Axis(0, 1))
    plot.grid(y_ticks=[], x_text=lambda t: seconds(t) if t else "0")
    plot.titles("用时 · time", "")
    told = []
    for k, (label, times) in enumerate(samples.items()):
        middle = top + row * (k + 0.5)
        quartiles = [_quantile(times, q) for q in (0.25, 0.5, 0.75)]
        x = [plot.at(t, 0)[0] for t in quartiles]
        colour = style.provider(label)
        canvas.text(left - 12, middle + 5, label, style.BODY, "ink", "end", fit=left - 24)
        canvas.rect(x[0], middle - 26, max(x[2] - x[0], 1), 52, "wash", "edge", round_=3)
        for i, time in enumerate(times):  # spread up and down so that equal times do not hide each other
            canvas.circle(
                plot.at(min(time, most), 0)[0], middle + 17 * (2 * (i * 0.618034 % 1) - 1), 3, colour, opacity=0.7
            )
        canvas.lines([(x[1], middle - 26), (x[1], middle + 26)], "ink", line=2)
        zh = en = f"{seconds(quartiles[0])}–{seconds(quartiles[2])}"
        if beyond := sum(time > most for time in times):
            canvas.text(right, middle - 30, f"图外 · beyond: {beyond}", style.SMALL, "ink", "end")
            zh, en = f"{zh}，图外 {beyond} 次", f"{en}, {beyond} beyond"
        told.append((label, seconds(quartiles[1]), zh, en))
    zh = "；".join(f"{_zh(label)} 中位数 {middle}，四分位 {more}" for label, middle, more, _ in told)
    en = "; ".join(f"{_en(label)} median {middle}, quartiles {more}" for label, middle, _, more in told)
    return Picture(canvas, f"每次测量一个点：{zh}", f"A dot a measurement: {en}")


def timing_in_order(times) -> Picture:
    """Every single measurement as a dot, in the order in which they were made: [seconds, …]."""
    times = list(map(float, times))
    canvas = Canvas(style.WIDTH, 330)
    plot = Plot(canvas, 78, 40, canvas.width - 40, 262, Axis(0, len(times)), Axis(0, max(times) * 1.06))
    plot.grid(y_text=lambda t: seconds(t) if t else "0")
    plot.titles("第几次启动 · number of the launch", "用时 · time")
    for number, time in enumerate(times):
        tip = f"{number}: {seconds(time)}"
        canvas.circle(*plot.at(number, time), 3, "course", opacity=0.8, tip=tip)
    tens = [(first, sorted(times[first : first + 10])) for first in range(0, len(times), 10)]
    told = ", ".join(f"{first}–{first + len(ten) - 1}: {seconds(_quantile(ten, 0.5))}" for first, ten in tens)
    return Picture(
        canvas,
        f"每次启动一个点，每十次的中位数：{told}",
        f"A dot a launch; the median of every ten: {told}",
    )


def _quantile(ordered, share):
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def _zh(label):
    return label.split(" · ")[0]


def _en(label):
    return label.split(" · ")[-1]
