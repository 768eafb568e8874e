"""Bytes, the time they take at a device's bandwidth, and where that leaves the arithmetic: the roofline."""

import math

from ..language import Text
from . import style
from .canvas import Canvas
from .picture import Picture
from .plot import Axis, Plot
from .units import power_of_ten, seconds, short, size

FLOPS_AN_ELEMENT = 4  # compare, subtract, add, divide; the exponential has a unit of its own, the SFU


def softmax_work(rows, cols, itemsize=4):
    """(name, bytes read, bytes written, flops) of the naive softmax, with the int64 indices that max writes, and fused."""
    whole, column, flops = rows * cols * itemsize, rows * itemsize, FLOPS_AN_ELEMENT * rows * cols
    return (
        ("naive", 5 * whole + 2 * column, 3 * whole + 2 * column + 8 * rows, flops),
        ("course", whole, whole, flops),
    )


def least_time(read, written, flops, bandwidth, peak) -> float:
    """Seconds, if nothing is slower than the memory or the arithmetic: a bound, not a forecast."""
    return max((read + written) / bandwidth, flops / peak)


def roofline(rows=4096, cols=4096, itemsize=4, *, bandwidth, peak, device, cache=None, told=None) -> Picture:
    """Naive against fused on a device of `bandwidth` bytes/s and `peak` flop/s; `cache` is its L2, in bytes.

    `told` says where the bandwidth comes from: (zh, en).
    """
    work = softmax_work(rows, cols, itemsize)
    times = [least_time(*counts, bandwidth, peak) for _, *counts in work]
    names = {"naive": ("朴素", "naive"), "course": ("融合", "fused")}
    canvas = Canvas(style.WIDTH, 480)
    text = f"M = {rows}    N = {cols}    {itemsize} B    {device}    {short(bandwidth / 1e9, 4)} GB/s"
    text += f"  ({told[0]} · {told[1]})" if told else ""
    canvas.text(24, 32, text, style.BODY, "ink", bold=True, fit=canvas.width - 48)
    left, room = 120, 330
    most = work[0][1] + work[0][2]
    for k, ((name, read, written, _), time) in enumerate(zip(work, times, strict=True)):
        y = 52 + k * 36
        canvas.both(left - 12, y + 18, *names[name], style.BODY, name, "end", bold=True)
        wide = [room * part / most for part in (read, written)]
        canvas.rect(left, y, wide[0], 24, "read", tip=size(read))
        canvas.rect(left + wide[0], y, wide[1], 24, "write", tip=size(written))
        canvas.text(left + sum(wide) + 10, y + 18, f"{size(read + written)}  →  ≈ {seconds(time)}", style.BODY)
    x = left
    for colour, zh, en in (("read", "读", "read"), ("write", "写", "written")):
        canvas.rect(x, 128, 12, 12, colour, round_=2)
        x += 18 + canvas.both(x + 18, 139, zh, en, style.SMALL, "mute") + 18
    _roof(canvas, work, names, bandwidth, peak)
    ratio = times[0] / times[1]
    return Picture(
        canvas,
        f"{device}：朴素搬 {size(most)}，约 {seconds(times[0])}；融合搬 {size(work[1][1] + work[1][2])}，"
        f"约 {seconds(times[1])}；相差 {short(ratio)} 倍。",
        f"{device}: naive moves {size(most)}, about {seconds(times[0])}; fused moves "
        f"{size(work[1][1] + work[1][2])}, about {seconds(times[1])}; {short(ratio)} times less.",
        _cached(rows * cols * itemsize, cache),
    )


def _cached(whole, cache):
    if cache is None or 2 * whole > cache:
        return None
    return Text(
        f"注意：一个矩阵只有 {size(whole)}，放得进 {size(cache)} 的 L2 缓存，后几趟可能读自缓存，比这里算的快。",
        f"Mind: a matrix is only {size(whole)} and fits the L2 cache of {size(cache)}, so later passes may be read from there, "
        "faster than computed here.",
    )


def _roof(canvas, work, names, bandwidth, peak):
    ridge = peak / bandwidth
    x_axis = Axis(0.02, max(100.0, 4 * ridge), log=True)
    y_axis = Axis(bandwidth * 0.02 / 1e9, peak * 4 / 1e9, log=True)
    plot = Plot(canvas, 84, 190, canvas.width - 28, 426, x_axis, y_axis)
    plot.grid(y_text=lambda v: power_of_ten(round(math.log10(v))))
    plot.titles("运算量 ÷ 字节 · flop per byte", "GFLOP/s")
    plot.line(
        [(x_axis.low, bandwidth * x_axis.low / 1e9), (ridge, peak / 1e9), (x_axis.high, peak / 1e9)], "ink", line=2.5
    )
    x, y = plot.at(ridge, peak / 1e9)
    canvas.both((x + plot.right) / 2, y - 9, "算力上限", "peak", style.SMALL, "mute", "middle", fit=plot.right - x)
    for name, read, written, flops in work:
        intensity = flops / (read + written)
        reached = min(peak, bandwidth * intensity) / 1e9
        x, y = plot.at(intensity, reached)
        canvas.lines([(x, y), (x, plot.bottom)], name, line=1.5, dash="4 3")
        canvas.circle(x, y, 6, name, "paper", line=1.5)
        label = f"{' · '.join(names[name])}  {short(intensity)}"
        side = ("end", -12) if name == "naive" else ("start", 12)
        canvas.text(x + side[1], y - 8 if name == "naive" else y + 16, label, style.SMALL, name, side[0], bold=True)
