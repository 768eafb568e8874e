"""A table of numbers, the larger the darker: one number for every choice of two things."""

from . import style
from .canvas import Canvas
from .picture import Picture

LEFT, TOP, CELL = 128, 92, 44


def heat_map(values, *, title="", across=("", ""), down=("", ""), alarms=()) -> Picture:
    """`values` is {(down, across): number}; `across` and `down` name the two choices in Chinese and English.

    `alarms` holds the keys to outline as bad. Combinations that are not in `values` stay empty.
    """
    rows = list(dict.fromkeys(row for row, _ in values))
    columns = sorted({column for _, column in values})
    wide = min(110, (style.WIDTH - LEFT - 32) / len(columns))
    canvas = Canvas(style.WIDTH, TOP + CELL * len(rows) + 34)
    canvas.text(24, 32, title, style.BODY, "ink", bold=True, fit=canvas.width - 48)
    canvas.both(LEFT + wide * len(columns) / 2, 60, *across, style.SMALL, "mute", "middle")
    canvas.stacked(24, TOP + CELL * len(rows) / 2, *down, style.SMALL, "mute", "start", fit=LEFT - 60)
    low, high = min(values.values()), max(values.values())
    for c, column in enumerate(columns):
        canvas.text(LEFT + (c + 0.5) * wide, TOP - 10, column, style.BODY, "ink", "middle", fit=wide - 4)
    for r, row in enumerate(rows):
        y = TOP + r * CELL
        canvas.text(LEFT - 12, y + CELL / 2 + 5, row, style.BODY, "ink", "end")
        for c, column in enumerate(columns):
            if (value := values.get((row, column))) is not None:
                x, heat = LEFT + c * wide, 0.1 + 0.9 * (value - low) / ((high - low) or 1)
                canvas.rect(x + 1, y + 1, wide - 2, CELL - 2, "c1", opacity=heat, round_=3)
                if (row, column) in alarms:
                    canvas.rect(x + 2, y + 2, wide - 4, CELL - 4, None, "alarm", line=2.5, round_=3)
                ink = "on" if heat > 0.72 else "ink"  # legible on both papers
                canvas.text(x + wide / 2, y + CELL / 2 + 5, value, style.BODY, ink, "middle")
    listed = "; ".join(
        f"{row}: {', '.join(str(values[row, column]) for column in columns if (row, column) in values)}" for row in rows
    )
    return Picture(canvas, f"{title}。{down[0]}：{listed}", f"{title}. {down[1]}: {listed}")
