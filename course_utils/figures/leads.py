"""Who is ahead, at every width and in every way of measuring: by how many per cent, and in red where behind."""

from collections import Counter

from ..language import Text
from . import style
from .canvas import Canvas
from .picture import Picture

LEFT, TOP, CELL, GAP = 184, 96, 30, 12
FULL = 10  # per cent: from here on a cell is as dark as it gets


def leads(percent, *, title="") -> Picture:
    """`percent` is {(group, row, column): whole per cents ahead}, as {("float32", "hot", 256): −1}.

    What only one row of a group has is summed up below, unless it is behind: else there would be no room for the rest.
    """
    rows_with = Counter(column for *_, column in percent)
    groups_with = Counter(column for _, column in {(group, column) for group, _, column in percent})
    lonely = {column for column, rows in rows_with.items() if rows == groups_with[column]}
    lonely -= {column for (*_, column), ahead in percent.items() if ahead < 0}
    columns = sorted(rows_with.keys() - lonely) or sorted(rows_with)
    lonely -= set(columns)
    groups: dict[str, list[str]] = {}
    for group, row, _ in percent:
        rows = groups.setdefault(group, [])
        rows += [row] if row not in rows else []
    wide = (style.WIDTH - LEFT - 24) / len(columns)
    height = TOP + sum(CELL * len(rows) + GAP for rows in groups.values()) + 12 + 24 * bool(lonely)
    canvas = Canvas(height, title)
    told = "领先最快的对手百分之几，红框是落后 · per cent ahead of the fastest opponent; behind in red"
    canvas.text(24, 58, told, style.SMALL, "mute", fit=canvas.width - 48)
    canvas.text(LEFT - 10, TOP - 10, "N", style.SMALL, "mute", "end")
    for c, column in enumerate(columns):
        canvas.text(LEFT + (c + 0.5) * wide, TOP - 10, column, style.SMALL, "ink", "middle", fit=wide - 4)
    y = TOP
    for group, rows in groups.items():
        canvas.text(24, y + CELL * len(rows) / 2 + 5, group, style.BODY, "ink", bold=True)
        for row in rows:
            canvas.text(LEFT - 10, y + CELL / 2 + 5, row, style.BODY, "ink", "end")
            for c, column in enumerate(columns):
                if (ahead := percent.get((group, row, column))) is not None:
                    _cell(canvas, LEFT + c * wide, y, wide, ahead)
            y += CELL
        y += GAP
    if lonely:
        others = [each for (*_, column), each in percent.items() if column in lonely]
        told = f"{min(others)}% – {max(others)}%"
        canvas.text(
            24,
            y + 10,
            Text(
                f"另有 {len(lonely)} 个宽度只在一种状态下录过，没有落后：{told}",
                f"{len(lonely)} more widths, recorded in one state only, never behind: {told}",
            ),
            style.SMALL,
            "mute",
            fit=canvas.width - 48,
        )
    ahead, behind = (sum(sign * each > 0 for each in percent.values()) for sign in (1, -1))
    worst = min(percent, key=percent.get)
    at = f"{' '.join(map(str, worst))}: {_signed(percent[worst])}"
    return Picture(
        canvas,
        f"{title}。{len(percent)} 格，领先 {ahead}，落后 {behind}，最差 {at}%",
        f"{title}. Cells: {len(percent)}, ahead {ahead}, behind {behind}, worst {at} %",
    )


def _cell(canvas, x, y, wide, ahead) -> None:
    if ahead > 0:
        canvas.rect(x + 1, y + 1, wide - 2, CELL - 2, "course", opacity=0.2 + 0.6 * min(ahead / FULL, 1), round_=3)
    else:
        canvas.rect(x + 1, y + 1, wide - 2, CELL - 2, "wash", round_=3)
    if ahead < 0:
        canvas.rect(x + 2, y + 2, wide - 4, CELL - 4, None, "alarm", line=2, round_=3)
    ink = "alarm" if ahead < 0 else "mute" if ahead == 0 else "ink"
    canvas.text(x + wide / 2, y + CELL / 2 + 5, _signed(ahead), style.BODY, ink, "middle", fit=wide - 8)


def _signed(ahead: int) -> str:
    return str(ahead).replace("-", "−")
