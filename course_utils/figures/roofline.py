"""Bytes, the time they take at a device's bandwidth, and where that leaves the arithmetic: the roofline."""

from ..language import Text
from . import style
from .bars import MOVED, moved_bar
from .canvas import Canvas
from .chart import Axis, Curve, Frame
from .picture import Picture
from .units import seconds, short, size

NAMES = {"naive": "朴素 · naive", "course": "融合 · fused"}

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

    `told` says where the bandwidth comes from.
    """
    work = softmax_work(rows, cols, itemsize)
    times = [least_time(*counts, bandwidth, peak) for _, *counts in work]
    text = f"M = {rows}    N = {cols}    {itemsize} B    {device}    {short(bandwidth / 1e9, 4)} GB/s"
    title = Text(f"{text}（{told.zh}）", f"{text} ({told.en})") if told else text
    canvas = Canvas(500, title)
    left, room = 120, 330
    most = work[0][1] + work[0][2]
    for k, ((name, read, written, _), time) in enumerate(zip(work, times, strict=True)):
        y = 52 + k * 36
        canvas.text(left - 12, y + 18, NAMES[name], style.BODY, name, "end", bold=True)
        end = moved_bar(canvas, left, y, 24, room / most, read, written)
        canvas.text(end + 10, y + 18, f"{size(read + written)}  →  ≈ {seconds(time)}", style.BODY)
    canvas.legend(left, 142, MOVED)
    _roof(canvas, work, bandwidth, peak)
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


def _roof(canvas, work, bandwidth, peak):
    ridge = peak / bandwidth
    x = Axis("运算量 ÷ 字节 · flop per byte", 0.02, max(100.0, 4 * ridge), log=10)
    frame = Frame(
        canvas, 84, 204, canvas.width - 28, 438, x, Axis("GFLOP/s", bandwidth * 0.02 / 1e9, peak * 4 / 1e9, log=10)
    )
    roof = {x.low: bandwidth * x.low / 1e9, ridge: peak / 1e9, x.high: peak / 1e9}
    frame.curve(Curve("", roof, "ink", line=2.5, dots=0))
    across, up = frame.at(ridge, peak / 1e9)
    canvas.text((across + frame.right) / 2, up - 9, "算力上限 · peak", style.SMALL, "mute", "middle")
    for name, read, written, flops in work:
        intensity = flops / (read + written)
        reached = min(peak, bandwidth * intensity) / 1e9
        frame.mark(intensity, "", name, reached)
        across, up = frame.at(intensity, reached)
        canvas.circle(across, up, 6, name, "paper", line=1.5)
        zh, en = (f"{half}  {short(intensity)}" for half in NAMES[name].split(" · "))
        anchor, aside, above = ("end", -12, -8) if name == "naive" else ("start", 12, 18)
        canvas.text(across + aside, up + above, Text(zh, en), style.SMALL, name, anchor, bold=True)
