"""Where each step stands: its speed in per cent of a copy's, a row of cells for each width that is watched."""

from . import style
from .canvas import Canvas
from .picture import Picture

LEFT, TOP, CELL, GAP = 150, 92, 26, 10
LEVEL, WORST = 97, 40  # per cent: from here on as fast as a copy; from here down a cell is as dark as it gets


def scoreboard(percent, steps, *, numbers=None, title="") -> Picture:
    """`percent` is {number format: {columns: {step: whole per cents of a copy}}}. The last of `steps` stands out; `numbers`
    stand before their names. What a step hardly changes is told in grey.
    """
    height = TOP + sum(CELL * len(rows) + GAP for rows in percent.values()) + 4
    canvas = Canvas(style.WIDTH, height)
    canvas.text(24, 30, title, style.BODY, "ink", bold=True, fit=canvas.width - 48)
    scale = (f"复制是 100%，不到 {LEVEL}% 是橙色", f"a copy is 100 %; orange is below {LEVEL} %")
    canvas.both(24, 54, *scale, style.SMALL, "mute", fit=canvas.width - 48)
    wide = min(84, (style.WIDTH - LEFT - 24) / len(steps))
    for c, step in enumerate(steps):
        last = c == len(steps) - 1
        x = LEFT + (c + 0.5) * wide
        name = f"{numbers[step]} {step}" if numbers and step in numbers else step
        canvas.text(x, TOP - 10, name, style.BODY, "ink" if last else "mute", "middle", bold=last, fit=wide - 4)
    y, told = TOP, []
    for dtype, rows in percent.items():
        canvas.text(24, y + CELL * len(rows) / 2 + 5, dtype, style.BODY, "ink", bold=True)
        for columns, shares in rows.items():
            canvas.text(LEFT - 12, y + CELL / 2 + 5, columns, style.BODY, "ink", "end")
            for c, step in enumerate(steps):
                same = c > 0 and abs(shares[step] - shares[steps[c - 1]]) < 2
                _cell(canvas, LEFT + c * wide, y, wide, shares[step], same)
            told.append(f"{dtype} {columns}: " + " → ".join(f"{shares[step]}%" for step in steps))
            y += CELL
        y += GAP
    listed = "; ".join(told)
    names = " → ".join(steps)
    return Picture(
        canvas, f"{title}。{names}，复制的百分之几：{listed}", f"{title}. {names}, per cent of a copy: {listed}"
    )


def _cell(canvas, x, y, wide, share, same) -> None:
    short = max(0, min(1, (LEVEL - share) / (LEVEL - WORST)))
    colour, strength = ("naive", 0.2 + 0.6 * short) if share < LEVEL else ("course", 0.35 if share < 103 else 0.65)
    canvas.rect(x + 1, y + 1, wide - 2, CELL - 2, colour, opacity=strength / (2 if same else 1), round_=3)
    canvas.text(x + wide / 2, y + CELL / 2 + 5, f"{share}%", style.BODY, "mute" if same else "ink", "middle")
