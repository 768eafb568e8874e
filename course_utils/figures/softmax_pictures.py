"""Softmax in a row of bars, forwards and backwards, and what leaves the range of a number format."""

import math
import struct

from . import style
from .canvas import Canvas
from .chart import Axis, Curve, chart
from .picture import Picture
from .units import power_of_ten, short

LARGEST = {"float16": 65504.0, "float32": 3.4028234663852886e38}  # bfloat16 ends where float32 does
ANIMALS = ("猫 · cat", "狗 · dog", "猪 · pig")


def softmax_steps(scores=(10, 5, 20), names=ANIMALS, *, temperature=1.0, shift=True, dtype="float32") -> Picture:
    """Scores → exponentials → probabilities as `dtype` computes them. `shift` subtracts the maximum first."""
    scores = [_stored(float(s) / temperature, dtype) for s in scores]
    top = max(scores) if shift else 0.0
    powers = [_stored(_exp(s - top), dtype) for s in scores]
    total = _stored(sum(powers), dtype)
    chances = [_stored(p / total, dtype) if total and p != math.inf else math.nan for p in powers]
    columns = [
        ("分数 · scores", "x" if temperature == 1 else f"x ÷ {temperature:g}", scores),
        ("指数 · exponentials", "e = exp(x − max)" if shift else "e = exp(x)", powers),
        ("概率 · probabilities", "e ÷ Σ e", chances),
    ]
    row, top_edge, left, room = (44, 74, 60, 84) if style.narrow() else (44, 74, 96, 108)
    canvas = Canvas(top_edge + row * len(scores) + 34)
    wide = (canvas.width - left - 20) / 3
    for k, (title, formula, values) in enumerate(columns):
        x = left + k * wide
        canvas.text(x, 30, title, style.BODY, bold=True, fit=wide - 4)
        canvas.text(x, 50, formula, style.SMALL, "mute", fit=wide - 4)
        if k and not style.narrow():
            canvas.arrow((x - 34, 40), (x - 12, 40), "mute")
        _bars(canvas, x, top_edge, row, wide - room, values)
        if k:
            label = f"Σ = {short(sum(values) if k == 2 else total)}"
            canvas.text(x, top_edge + row * len(values) + 14, label, style.BODY, "mute")
    for i, name in enumerate(names):
        canvas.text(left - 12, top_edge + i * row + 17, name, style.BODY, "ink", "end", fit=left - 22)
    given, got = (", ".join(map(short, values)) for values in (scores, chances))
    return Picture(
        canvas,
        f"{dtype} 的 softmax：分数 {given} 变为概率 {got}",
        f"softmax in {dtype}: scores {given} become probabilities {got}",
    )


def _bars(canvas, x, top, row, room, values):
    finite = [v for v in values if math.isfinite(v)]
    low, high = min([0, *finite]), max([0, *finite, 1e-300])
    zero = x + room * (-low / (high - low))
    for i, value in enumerate(values):
        y = top + i * row
        if math.isfinite(value):
            end = x + room * ((value - low) / (high - low))
            canvas.rect(min(zero, end), y, max(abs(end - zero), 1), 24, style.counted(i), round_=2)
            canvas.text(max(zero, end) + 7, y + 17, short(value), style.BODY)
        else:
            canvas.rect(x, y, room, 24, None, "alarm", dash="4 3", round_=2)
            canvas.text(x + room + 7, y + 17, short(value), style.BODY, "alarm", bold=True)
    canvas.lines([(zero, top - 6), (zero, top + row * len(values) - 12)], "mute", line=1)


def exp_limits(scores=(10, 5, 20)) -> Picture:
    """exp(x) on a scale of powers of ten, the largest number of each format, and scores before and after the shift."""
    scores = [float(s) for s in scores]
    top = max(scores)
    first, last = min(-25.0, min(scores) - top - 5), max(100.0, top + 10)
    # exp(x) may be too large for a float: the vertical axis counts powers of ten
    low, high = first / math.log(10), last / math.log(10)
    frame = chart(
        [Curve("", {first: low, last: high}, "ink", line=2.2, dots=0)],
        Axis("x：分数 · x: score", first, last),
        Axis("exp(x)", low, high, text=lambda k: power_of_ten(round(k))),
        height=400,
    )
    canvas = frame.canvas
    edges = {dtype: math.log(largest) for dtype, largest in LARGEST.items()}
    for k, (dtype, edge) in enumerate(edges.items()):
        x, y = frame.at(edge, edge / math.log(10))
        canvas.lines([(frame.left, y), (frame.right, y)], "alarm", line=1.3, dash="6 4")
        canvas.lines([(x, y), (x, frame.bottom)], "alarm", line=1.3, dash="2 3")
        canvas.circle(x, y, 4, "alarm")
        canvas.text(frame.left + 8, y - 7, f"{dtype} ≤ {short(LARGEST[dtype])}", style.SMALL, "alarm")
        told, low = f"x = {short(edge, 4)}", frame.bottom - 8 - 20 * k * style.narrow()
        beside = (x - 6, "end") if style.narrow() and k else (x + 6, "start")
        canvas.text(beside[0], low, told, style.SMALL, "alarm", beside[1])
    for i, score in enumerate(scores):
        for value, shifted in ((score, False), (score - top, True)):
            _dot(canvas, *frame.at(value, value / math.log(10)), style.counted(i), shifted)
    x = frame.right
    for shifted, label in ((True, "x − max"), (False, "x")):
        x -= canvas.text(x, frame.top - 16, label, style.BODY, "ink", "end") + 14
        _dot(canvas, x, frame.top - 21, "c0", shifted)
        x -= 22
    edges_zh = "；".join(f"{dtype} 从 x = {short(edge, 4)} 起溢出" for dtype, edge in edges.items())
    edges_en = "; ".join(f"{dtype} overflows from x = {short(edge, 4)}" for dtype, edge in edges.items())
    given, moved = (", ".join(short(s - by) for s in scores) for by in (0, top))
    return Picture(
        canvas,
        f"exp(x) 与各格式的上限：{edges_zh}；分数 {given} 减去最大值后是 {moved}",
        f"exp(x) against the largest numbers: {edges_en}; scores {given} less their maximum are {moved}",
    )


def _dot(canvas, x, y, colour, filled):
    canvas.circle(x, y, 6, colour if filled else "paper", "ink" if filled else colour, line=1 if filled else 2.5)


def _exp(x: float) -> float:
    try:
        return math.exp(x)
    except OverflowError:
        return math.inf


def _stored(value: float, dtype: str) -> float:
    """The value as the format keeps it: rounded, infinite where it is too large, zero where it is too small."""
    if not math.isfinite(value) or dtype == "float64":
        return value
    try:
        if dtype == "bfloat16":  # the upper half of a float32, rounded to nearest, ties to even
            bits = struct.unpack("<I", struct.pack("<f", value))[0]
            bits = (bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000
            return struct.unpack("<f", struct.pack("<I", bits))[0]
        code = {"float16": "<e", "float32": "<f"}[dtype]
        return struct.unpack(code, struct.pack(code, value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)


def softmax_gradient(scores=(1, 2, 3), dy=(1, 0, 0), names=ANIMALS) -> Picture:
    """Probabilities, the gradient that arrives for them, its distance from their weighted mean, and the gradient of the scores."""
    top = max(scores)
    powers = [math.exp(score - top) for score in scores]
    y = [power / sum(powers) for power in powers]
    s = sum(p * d for p, d in zip(y, dy))
    above = [d - s for d in dy]
    dx = [p * a for p, a in zip(y, above)]
    columns = [
        ("概率 · probabilities", "y = softmax(x)", y),
        ("到来的梯度 · arriving", "dy", dy),
        ("减去平均 · less the mean", "dy − s", above),
        ("分数的梯度 · of scores", "dx = y · (dy − s)", dx),
    ]
    feet = (
        f"Σ y = {short(sum(y))}",
        "",
        f"s = Σ y·dy = {short(round(s, 12))}",
        f"Σ dx = {short(abs(round(sum(dx), 9)))}",
    )
    row, left, across = (44, 60, 2) if style.narrow() else (44, 96, 4)
    high = 74 + row * len(y) + 34
    canvas = Canvas(high * len(columns) // across)
    wide = (canvas.width - left - 12) / across
    for k, (title, formula, values) in enumerate(columns):
        x, top = left + k % across * wide, k // across * high
        canvas.text(x, top + 30, title, style.BODY, bold=True, fit=wide - 16)
        canvas.text(x, top + 50, formula, style.SMALL, "mute")
        _bars(canvas, x, top + 74, row, wide - 72, [round(value, 12) for value in values])
    for i, name in enumerate(names * (len(columns) // across)):
        y_name = i // len(names) * high + 74 + i % len(names) * row + 17
        canvas.text(left - 12, y_name, name, style.BODY, "ink", "end", fit=left - 22)
    for k, foot in enumerate(feet):
        place = left + k % across * wide, (k // across + 1) * high - 20
        canvas.text(*place, foot, style.BODY, "mute", fit=wide - 12)
    told = [", ".join(short(round(value, 12)) for value in values) for values in (y, dy, dx)]
    return Picture(
        canvas,
        f"softmax 的反向：概率 {told[0]}，到来的梯度 {told[1]}，平均 {short(round(s, 12))}，分数的梯度 {told[2]}",
        f"softmax backwards: probabilities {told[0]}, arriving gradient {told[1]}, mean {short(round(s, 12))}, gradient of the "
        f"scores {told[2]}",
    )
