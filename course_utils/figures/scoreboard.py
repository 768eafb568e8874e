"""The scoreboard: how near a kernel comes to the best copy, cell by cell, and what changed since the last notebook."""

from ..language import Text
from . import style
from .canvas import Canvas
from .picture import Picture
from .units import power_of_two

COLUMNS = (256, 781, 1024, 4097, 8192, 12672, 32768, 131072)
SHAPES = (*((4096, columns) for columns in COLUMNS), (1 << 20, 128))
DTYPES = ("float32", "bfloat16")

# from this share of the copy on: its colour, and a mark for eyes that do not tell the colours apart
LEVELS = ((0.97, "course", "●"), (0.90, "c1", "◐"), (0.0, "naive", "○"))
CHANGE = 0.03  # less is no step of this course

LEFT, WIDE, GAP, TOP, HIGH, LOW = 100, 68, 10, 124, 66, 28


def level(share: float) -> tuple[str, str]:
    """Colour and mark of a number, as it is written: 0.966 is written 0.97, and green."""
    return next((colour, mark) for least, colour, mark in LEVELS if round(share, 2) >= least)


def changed(cell, now, before) -> bool:
    """Whether a cell's number is written bold."""
    old, new = (before or {}).get(cell), now.get(cell)
    return (
        before is not None and new is not None and (old is None or abs(round(new, 2) - round(old, 2)) >= CHANGE - 1e-9)
    )


def scoreboard(
    now, before=None, *, steps=None, early=None, yours=(), title: str | Text = "", note: Text | None = None
) -> Picture:
    """`now` is {(number format, rows, columns): time of the best copy ÷ time of the kernel}; what is missing does not fit.

    `before` are those of the last notebook: what changed is bold, its old number above it. `steps` is {cell: (the
    name of the step that did it, whether that is this notebook's)}, written below the number. `early` is a second, small board
    for the early start against the early copy. Cells in `yours` are the reader's own; a `note` may say what keeps others
    from being his.
    """
    boards = [(now, before, HIGH)] + ([(early, None, LOW)] if early else [])
    tall = sum(len(DTYPES) * (high + 4) for *_, high in boards) + 40 * (len(boards) - 1)
    canvas = Canvas(TOP + tall + (44 if yours else 14), title)
    _scale(canvas, 58)
    if steps:
        canvas.text(
            24, 82, "小字：靠哪一步，粗的是新的 · small: the step that did it, new in bold", style.SMALL, "mute"
        )
    _heads(canvas)
    y = TOP
    for board, old, high in boards:
        if board is early:
            canvas.text(
                24, y + 26, "提前启动，对提前启动的复制 · early start, against an early copy", style.SMALL, "mute"
            )
            y += 40
        for dtype in DTYPES:
            canvas.text(LEFT - 12, y + high / 2 + 5, dtype, style.SMALL, "ink", "end", bold=True)
            for k, shape in enumerate(SHAPES):
                step = (steps or {}).get((dtype, *shape)) if board is now else None
                _cell(canvas, _left(k), y, high, (dtype, *shape), board, old, step)
                if board is now and (dtype, *shape) in yours:
                    canvas.rect(_left(k), y + 1, WIDE - 4, high - 2, None, "ink", line=2.5, dash="5 3", round_=5)
            y += high + 4
    if yours:
        canvas.rect(24, y + 12, 22, 16, None, "ink", line=2.5, dash="5 3", round_=4)
        canvas.text(54, y + 25, "这些格是你的 kernel 的 · these cells are your kernel's", style.SMALL)
    told = _told(title, now, before, early)
    return Picture(canvas, told.zh, told.en, note)


def _left(number: int) -> float:
    return LEFT + number * WIDE + (GAP if SHAPES[number][0] != SHAPES[0][0] else 0)


def _scale(canvas, y):
    x = 24
    for (least, colour, mark), words in zip(
        LEVELS, ("{:.2f} 起 · from {:.2f}", "{:.2f} 起 · from {:.2f}", "更低 · below")
    ):
        x += canvas.text(x, y, mark, style.BODY, colour) + 6
        x += canvas.text(x, y, words.format(least, least), style.SMALL, "mute") + 20
    told = "最好的复制的用时 ÷ kernel 的用时 · time of the best copy ÷ time of the kernel"
    canvas.text(canvas.width - 24, y, told, style.SMALL, "mute", "end", fit=canvas.width - x - 30)


def _heads(canvas):
    for number, (rows, columns) in enumerate(SHAPES):
        middle = _left(number) + WIDE / 2 - 2
        canvas.text(middle, TOP - 8, columns, style.SMALL, "ink", "middle", fit=WIDE - 4)
        if number == 0 or rows != SHAPES[number - 1][0]:
            wide = WIDE * sum(each == rows for each, _ in SHAPES)
            told = Text(f"{power_of_two(rows)} 行", f"{power_of_two(rows)} rows")
            canvas.text(_left(number) + wide / 2 - 2, TOP - 30, told, style.SMALL, "mute", "middle")
            canvas.lines([(_left(number), TOP - 24), (_left(number) + wide - 4, TOP - 24)], "edge", line=1)


def _cell(canvas, x, y, high, cell, now, before, step):
    share = now.get(cell)
    if share is None:
        canvas.rect(x, y + 1, WIDE - 4, high - 2, "wash", round_=5)
        canvas.text(x + WIDE / 2 - 2, y + high / 2 + 6, "–", style.BODY, "mute", "middle")
        return
    colour, mark = level(share)
    canvas.rect(x, y + 1, WIDE - 4, high - 2, colour, opacity=0.3, round_=5)
    bold = changed(cell, now, before)
    if bold:
        was = before.get(cell)
        canvas.text(
            x + WIDE / 2 - 2, y + 18, f"{'–' if was is None else _number(was)} →", style.SMALL, "mute", "middle"
        )
    if step:
        name, here = step
        canvas.text(
            x + WIDE / 2 - 2, y + 58, name, style.SMALL, "ink" if here else "mute", "middle", bold=here, fit=WIDE - 6
        )
    base = y + high / 2 + 6
    canvas.text(x + 5, base, mark, style.SMALL, colour)
    canvas.text(x + WIDE - 11, base, _number(share), style.BODY, "ink", "end", bold=bold)


def _number(share: float | None) -> str:
    return "–" if share is None else f"{share:.2f}"


def _told(title, now, before, early) -> Text:
    """Every number in words: what a screen reader says, and what nbval compares."""
    title = Text.of(title)
    zh, en = _cells_told(now, before, "（原 {}）", "，"), _cells_told(now, before, " (was {})", ", ")
    if early:
        zh += "。提前启动：" + _cells_told(early, None, "", "，")
        en += ". Early start: " + _cells_told(early, None, "", ", ")
    return Text(f"{title.zh}。{zh}", f"{title.en}. {en}")


def _cells_told(now, before, was, comma) -> str:
    lines = []
    for dtype in DTYPES:
        cells = []
        for rows, columns in SHAPES:
            cell = (dtype, rows, columns)
            old = was.format(_number((before or {}).get(cell))) if changed(cell, now, before) else ""
            cells.append(f"{power_of_two(rows)}×{columns} {_number(now.get(cell))}{old}")
        lines.append(f"{dtype}: {comma.join(cells)}")
    return "; ".join(lines)
