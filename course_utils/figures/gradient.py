"""One row backwards."""

import math

from . import style
from .canvas import Canvas
from .picture import Picture
from .softmax_pictures import ANIMALS, _bars
from .units import short

SIZES = {"float32": 4, "bfloat16": 2, "float16": 2}


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
    row, top_edge, left = 44, 74, 96
    canvas = Canvas(top_edge + row * len(y) + 34)
    wide = (canvas.width - left - 12) / len(columns)
    for k, (title, formula, values) in enumerate(columns):
        x = left + k * wide
        canvas.text(x, 30, title, style.BODY, bold=True, fit=wide - 16)
        canvas.text(x, 50, formula, style.SMALL, "mute")
        _bars(canvas, x, top_edge, row, wide - 72, [round(value, 12) for value in values])
    for i, name in enumerate(names):
        canvas.text(left - 12, top_edge + i * row + 17, name, style.BODY, "ink", "end", fit=left - 22)
    foot = top_edge + row * len(y) + 14
    canvas.text(left, foot, f"Σ y = {short(sum(y))}", style.BODY, "mute")
    canvas.text(left + 2 * wide, foot, f"s = Σ y·dy = {short(round(s, 12))}", style.BODY, "mute", fit=wide - 12)
    canvas.text(left + 3 * wide, foot, f"Σ dx = {short(abs(round(sum(dx), 9)))}", style.BODY, "mute")
    told = [", ".join(short(round(value, 12)) for value in values) for values in (y, dy, dx)]
    return Picture(
        canvas,
        f"softmax 的反向：概率 {told[0]}，到来的梯度 {told[1]}，平均 {short(round(s, 12))}，分数的梯度 {told[2]}",
        f"softmax backwards: probabilities {told[0]}, arriving gradient {told[1]}, mean {short(round(s, 12))}, gradient of the "
        f"scores {told[2]}",
    )
