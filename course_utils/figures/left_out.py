"""What each idea is worth where all the others are there: how much longer a kernel takes without it."""

from . import style
from .canvas import Canvas
from .picture import Picture

TOP, LEFT, HIGH, GAP = 84, 220, 27, 40
LEAST = 0.01  # less is told in grey


def left_out(longer, names, *, title="") -> Picture:
    """`longer` is {number format: {idea: {columns: time without ÷ time with}}}; `names` are the ideas' labels."""
    lines = sum(len(ideas) for ideas in longer.values())
    canvas = Canvas(TOP + lines * HIGH + (len(longer) - 1) * GAP + 12, title)
    legend = {"course": "没有它更慢 · slower without", "naive": "没有它更快 · faster without"}
    canvas.legend(24, 54, legend)
    y, told = TOP, []
    for dtype, ideas in longer.items():
        widths = sorted({columns for found in ideas.values() for columns in found})
        wide = (canvas.width - 24 - LEFT) / len(widths)
        canvas.text(24, y - 8, dtype, style.BODY, "ink", bold=True)
        for k, columns in enumerate(widths):
            canvas.text(LEFT + (k + 0.5) * wide - 2, y - 8, columns, style.SMALL, "mute", "middle", fit=wide - 4)
        for idea, found in ideas.items():
            canvas.text(LEFT - 12, y + 18, names[idea], style.SMALL, "ink", "end", fit=LEFT - 32)
            for k, columns in enumerate(widths):
                _cell(canvas, LEFT + k * wide, y, wide - 4, found.get(columns))
            listed = ", ".join(f"{n} {_percent(found[n])}" for n in widths if n in found)
            told.append((dtype, names[idea], listed))
            y += HIGH
        y += GAP
    zh = "；".join(f"{dtype} {idea.zh}：{listed}" for dtype, idea, listed in told)
    en = "; ".join(f"{dtype} {idea.en}: {listed}" for dtype, idea, listed in told)
    return Picture(canvas, f"{title}。少了它，用时多出：{zh}。", f"{title}. Without it, the time grows by: {en}.")


def _cell(canvas, x, y, wide, ratio):
    if ratio is None:
        canvas.rect(x, y + 1, wide, HIGH - 3, "wash", round_=4)
        return
    small = abs(ratio - 1) < LEAST
    if not small:
        strength = min(0.75, 0.15 + abs(ratio - 1) * 2.5)
        canvas.rect(x, y + 1, wide, HIGH - 3, "course" if ratio > 1 else "naive", opacity=strength, round_=4)
    canvas.text(x + wide / 2, y + 18, _percent(ratio), style.SMALL, "mute" if small else "ink", "middle")


def _percent(ratio: float) -> str:
    return f"{100 * (ratio - 1):+.0f}%".replace("-", "−").replace("+0%", "0%").replace("−0%", "0%")
