"""From scores to probabilities, and where the exponential leaves the range of a number format."""

import math

from . import style
from .canvas import Canvas
from .picture import Picture
from .units import power_of_ten, short

LARGEST = {"float16": 65504.0, "bfloat16": 3.3895313892515355e38, "float32": 3.4028234663852886e38}
ANIMALS = ("猫 · cat", "狗 · dog", "猪 · pig")


def softmax_steps(scores=(10, 5, 20), names=ANIMALS, *, temperature=1.0, shift=True) -> Picture:
    """Scores → exponentials → probabilities, as bars with their numbers. `shift` subtracts the maximum first."""
    scores = [float(s) / temperature for s in scores]
    top = max(scores) if shift else 0.0
    powers = [_exp(s - top) for s in scores]
    total = sum(powers)
    chances = [p / total if total and total != math.inf else math.nan for p in powers]
    raised = "exp(x − max)" if shift else "exp(x)"
    columns = [
        ("分数 · scores", "x" if temperature == 1 else f"x ÷ {temperature:g}", scores),
        ("指数 · exponentials", f"e = {raised}", powers),
        ("概率 · probabilities", "e ÷ Σ e", chances),
    ]
    row, top_edge, left = 44, 74, 96
    canvas = Canvas(style.WIDTH, top_edge + row * len(scores) + 34)
    wide = (canvas.width - left - 20) / 3
    for k, (title, formula, values) in enumerate(columns):
        x = left + k * wide
        canvas.text(x, 30, title, style.BODY, bold=True)
        canvas.text(x, 50, formula, style.SMALL, "mute")
        if k:
            canvas.arrow((x - 34, 40), (x - 12, 40), "mute")
        finite = [v for v in values if math.isfinite(v)]
        low, high = min([0, *finite]), max([0, *finite, 1e-300])
        room = wide - 108
        zero = x + room * (-low / (high - low))
        for i, value in enumerate(values):
            y = top_edge + i * row
            if math.isfinite(value):
                end = x + room * ((value - low) / (high - low))
                canvas.rect(min(zero, end), y, max(abs(end - zero), 1), 24, style.counted(i), round_=2)
                canvas.text(max(zero, end) + 7, y + 17, short(value), style.BODY)
            else:
                canvas.rect(x, y, room, 24, None, "alarm", dash="4 3", round_=2)
                canvas.text(x + room + 7, y + 17, short(value), style.BODY, "alarm", bold=True)
        canvas.lines([(zero, top_edge - 6), (zero, top_edge + row * len(values) - 12)], "mute", line=1)
        if k:
            label = f"Σ = {short(sum(values))}"
            canvas.text(x, top_edge + row * len(values) + 14, label, style.BODY, "mute")
    for i, name in enumerate(names):
        canvas.text(left - 12, top_edge + i * row + 17, name, style.BODY, "ink", "end", fit=left - 22)
    numbers = ", ".join(short(c) for c in chances)
    given = ", ".join(short(s) for s in scores)
    return Picture(canvas, f"softmax：分数 {given} 变为概率 {numbers}", f"softmax: scores {given} become {numbers}")


def exp_limits(scores=(10, 5, 20), dtypes=("float16", "float32")) -> Picture:
    """e^x on a scale of powers of ten, the largest number of each format, and the scores before and after the shift."""
    scores = [float(s) for s in scores]
    top = max(scores)
    first = min(-25.0, min(scores) - top - 5)
    last = max(100.0, top + 10)
    canvas = Canvas(style.WIDTH, 380)
    left, right, up, down = 74, canvas.width - 24, 44, 322

    def at(x, log10):
        floor, ceiling = first / math.log(10), last / math.log(10)
        return left + (x - first) / (last - first) * (right - left), down - (log10 - floor) / (ceiling - floor) * (
            down - up
        )

    def on_curve(x):
        return at(x, x / math.log(10))

    step = 10 if (last - first) <= 160 else 20 * math.ceil((last - first) / 300)
    for tick in range(math.ceil(first / step) * step, int(last) + 1, step):
        x, _ = at(tick, 0)
        canvas.lines([(x, up), (x, down)], "grid", line=1)
        canvas.text(x, down + 18, str(tick).replace("-", "−"), style.SMALL, "mute", "middle")
    power = 10 * math.ceil(step / 14)
    for exponent in range(math.ceil(first / math.log(10) / power) * power, int(last / math.log(10)) + 1, power):
        _, y = at(0, exponent)
        canvas.lines([(left, y), (right, y)], "grid", line=1)
        canvas.text(left - 8, y + 4, power_of_ten(exponent), style.SMALL, "mute", "end")
    canvas.lines([on_curve(first), on_curve(last)], "ink", line=2.2)
    for dtype in dtypes:
        edge = math.log(LARGEST[dtype])
        x, y = on_curve(edge)
        canvas.lines([(left, y), (right, y)], "alarm", line=1.3, dash="6 4")
        canvas.lines([(x, y), (x, down)], "alarm", line=1.3, dash="2 3")
        canvas.circle(x, y, 4, "alarm")
        label = f"{dtype} ≤ {short(LARGEST[dtype])}"
        canvas.text(left + 8, y - 7, label, style.SMALL, "alarm")
        canvas.text(x + 6, down - 8, f"x = {short(edge, 4)}", style.SMALL, "alarm")
    for i, score in enumerate(scores):
        for value, solid in ((score, False), (score - top, True)):
            x, y = on_curve(value)
            colour = style.counted(i)
            canvas.circle(
                x, y, 6, colour if solid else "paper", colour if not solid else "ink", line=2.5 if not solid else 1
            )
    canvas.text((left + right) / 2, down + 40, "x：分数 · score", style.BODY, "ink", "middle")
    canvas.text(left - 8, up - 16, "exp(x)", style.BODY, "ink", "end")
    x = right
    for solid, label in ((True, "x − max"), (False, "x")):
        wide = canvas.text(x, up - 16, label, style.BODY, "ink", "end")
        x -= wide + 14
        canvas.circle(x, up - 21, 5.5, "c0" if solid else "paper", "ink" if solid else "c0", line=1 if solid else 2.5)
        x -= 22
    edges_zh = "；".join(f"{d} 从 x = {short(math.log(LARGEST[d]), 4)} 起溢出" for d in dtypes)
    edges_en = "; ".join(f"{d} overflows from x = {short(math.log(LARGEST[d]), 4)}" for d in dtypes)
    return Picture(canvas, f"exp(x) 与各格式的上限：{edges_zh}", f"exp(x) against the largest numbers: {edges_en}")


def _exp(x: float) -> float:
    try:
        return math.exp(x)
    except OverflowError:
        return math.inf
