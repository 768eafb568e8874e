"""Softmax in a row of bars, forwards and backwards, in any number format."""

import math
import struct

from . import style
from .canvas import Canvas
from .picture import Picture
from .units import short

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
        ("上游梯度 · upstream", "dy", dy),
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
        f"softmax 的反向：概率 {told[0]}，上游梯度 {told[1]}，平均 {short(round(s, 12))}，分数的梯度 {told[2]}",
        f"softmax backwards: probabilities {told[0]}, upstream gradient {told[1]}, mean {short(round(s, 12))}, gradient of the "
        f"scores {told[2]}",
    )
