"""Curves: recorded speeds against sizes, a prediction beside what was measured, single runs in their order."""

from dataclasses import replace
from statistics import median

from ..language import Text
from . import style
from .chart import Axis, Curve, chart
from .picture import Picture
from .units import seconds

PREDICTED = {"dots": 0, "dash": "6 4"}


def placing_cost(us, programs) -> Picture:
    """`us` are {programs: microseconds} of kernels that do nothing; the line through them is drawn on to `programs`."""
    first, last = min(us), max(us)
    each = (us[last] - us[first]) / (last - first)
    told = us[first] + each * (programs - first)
    line = {0: us[first] - each * first, programs: told}
    ticks = [*(n for n in us if n > 10 * first), programs]
    frame = chart(
        [
            Curve("每个 program 的开销不变 · every program costs the same", line, "c1", **PREDICTED),
            Curve("空 kernel，实测 · empty kernel, measured", us, "ink", line=0, dots=5),
        ],
        Axis("program 数 · programs", 0, 1.04 * programs, ticks=ticks, text=str),
        Axis("µs", 0, 1.1 * told),
        height=380,
    )
    x, y = frame.at(programs, told)
    frame.canvas.text(x - 8, y - 8, f"{programs}: {told:.0f} µs", style.SMALL, "ink", "end", bold=True)
    return Picture(
        frame.canvas,
        f"空 kernel 的用时是一条直线，每个 program {1000 * each:.2f} ns；{programs} 个要 {told:.0f} µs。",
        f"The times of empty kernels lie on a line, {1000 * each:.2f} ns for each program; {programs} take {told:.0f} µs.",
    )


def short_rows(row, stay, tile, threshold) -> Picture:
    """Shares of the best copy, {bytes that a row moves: share}, of a program a row, of rows one after another and side by
    side. In the time that a program takes to place, memory moves `threshold` bytes."""
    sizes = sorted(row)
    low, high = sizes[0] / 1.3, sizes[-1] * 1.2
    model = {x: x / threshold for k in range(41) if (x := low * (threshold / low) ** (k / 40))} | {high: 1.0}
    frame = chart(
        [
            Curve("放置的开销，算出 · placing, predicted", model, "c7", **PREDICTED),
            Curve("一行一个 program · a program a row", row, "naive", line=0, dots=7),
            Curve("一行接一行 · one after another", stay, "c5", line=1.5, dots=5),
            Curve("几行并排 · side by side", tile, "course", line=1.5, dots=5),
        ],
        Axis("一行搬的字节数 · bytes that a row moves", low, high, log=2, ticks=sizes, text=lambda n: str(round(n))),
        Axis("÷ 复制 · of a copy", 0, 1.08),
        "H100",
        height=420,
    )
    frame.mark(threshold, f"{threshold:.0f} B", y=1.0)
    zh = "；".join(f"{n} B：{row[n]:.2f}、{stay[n]:.2f}、{tile[n]:.2f}" for n in sizes)
    en = "; ".join(f"{n} B: {row[n]:.2f}, {stay[n]:.2f}, {tile[n]:.2f}" for n in sizes)
    return Picture(
        frame.canvas,
        f"达到复制速度的几成，依次为一行一个 program、一行接一行、几行并排。{zh}。",
        f"Share of a copy's speed, for a program a row, rows one after another, rows side by side. {en}.",
    )


def split_or_not(one, model, two_kernels, in_kernel) -> Picture:
    """{columns: µs} on one GPU, and of two in both ways, the one in the kernel as predicted too, as shares of one GPU's time."""
    columns = sorted(one)
    ways = [
        Curve(Text("预测：不离开 kernel", "predicted: in the kernel"), model, "mute", **PREDICTED),
        Curve(Text("两个 kernel", "two kernels"), two_kernels, "course"),
        Curve(Text("不离开 kernel", "in the kernel"), in_kernel, "c1"),
    ]
    shares = [replace(way, points={n: us / one[n] for n, us in way.points.items()}) for way in ways]
    frame = chart(
        shares,
        Axis(Text("列数", "columns"), columns[0], columns[-1], log=2),
        Axis(Text("÷ 一块 GPU 的用时", "÷ time of one GPU"), 0.5, 4, log=2, text="{:.2g}".format),
        Text("两块 GPU", "two GPUs"),
    )
    frame.line([(columns[0], 1), (columns[-1], 1)], "ink", line=1.5)
    zh, en = (
        "; ".join(f"{getattr(way.name, language)}: {_listed(way.points)}" for way in shares[1:])
        for language in ("zh", "en")
    )
    return Picture(frame.canvas, f"两块 GPU ÷ 一块。{zh}", f"Two GPUs ÷ one. {en}")


def _listed(found) -> str:
    return ", ".join(f"{n} {value:.2f}" for n, value in found.items())


def speed_curves(curves, x: str, y: str, *, title="", ceiling=None, low=0.0, ranges=False, height=400) -> Picture:
    """Curves are {way: {size: speed}}, sizes on a logarithmic axis; `ceiling` is (name, speed), a dashed line across.

    The description tells each curve's last value, or its lowest and highest (`ranges`).
    """
    text = "{:.0f}".format
    sizes, drawn = sorted({n for points in curves.values() for n in points}), []
    for name, points in curves.items():
        english, value = Text.of(name).en, text(points[max(points)])
        wide, dash = 3.5 if "course" in english else 2, "6 4" if "copy" in english else None
        drawn.append(Curve(name, points, style.provider(english), value, wide, dash))
    if ceiling:
        name, speed = ceiling
        drawn.append(Curve(name, {sizes[0]: speed, sizes[-1]: speed}, "mute", text(speed), **PREDICTED))
    top = max(speed for curve in drawn for speed in curve.points.values())
    frame = chart(drawn, Axis(x, sizes[0], sizes[-1], log=2), Axis(y, low, top * 1.04), title, height=height)

    def told(points):
        if ranges:
            return f"{text(min(points.values()))} … {text(max(points.values()))}"
        last = max(points)
        return text(points[last]) + ("" if last == sizes[-1] else f" ({last})")

    zh = "，".join(f"{Text.of(curve.name).zh} {told(curve.points)}" for curve in drawn)
    en = ", ".join(f"{Text.of(curve.name).en} {told(curve.points)}" for curve in drawn)
    if ranges:
        return Picture(frame.canvas, f"{title}，最低到最高：{zh}", f"{title}, lowest to highest: {en}")
    where = Text(f"{Text.of(x).zh} = {sizes[-1]} 时", f"at {Text.of(x).en} = {sizes[-1]}")
    return Picture(frame.canvas, f"{title}；{where.zh}：{zh}", f"{title}; {where.en}: {en}")


def timing_in_order(times) -> Picture:
    """Every single measurement as a dot, in the order in which they were made: [seconds, …]."""
    times = list(map(float, times))
    x = Axis("第几次启动 · number of the launch", 0, len(times))
    y = Axis("用时 · time", 0, max(times) * 1.06, text=lambda time: seconds(time) if time else "0")
    frame = chart([], x, y, height=340)
    frame.curve(Curve("", dict(enumerate(times)), "course", line=0, dots=3))
    tens = [(first, times[first : first + 10]) for first in range(0, len(times), 10)]
    told = ", ".join(f"{first}–{first + len(ten) - 1}: {seconds(median(ten))}" for first, ten in tens)
    zh, en = "每次启动一个点，每十次的中位数", "A dot a launch; the median of every ten"
    return Picture(frame.canvas, f"{zh}：{told}", f"{en}: {told}")
