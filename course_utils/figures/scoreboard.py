"""Boards of cells: how near a kernel comes to the best copy, what a choice is worth, and what each idea is worth."""

import math

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

LEFT, WIDE, GAP, TOP, HIGH, LOW = 88, 71, 10, 132, 66, 28
LABEL = 12.5  # the size of a cell's small lines: a step's name has 60 to fit in


def level(share: float) -> tuple[str, str]:
    """Colour and mark of a number, as it is written: 0.966 is written 0.97, and green."""
    return next((colour, mark) for least, colour, mark in LEVELS if round(share, 2) >= least)


def ground(colour: str) -> float:
    """How strongly a cell is coloured: what is low steps back."""
    return 0.12 if colour == LEVELS[-1][1] else 0.3


def changed(cell, now, before) -> bool:
    """Whether a cell's number is written bold."""
    old, new = (before or {}).get(cell), now.get(cell)
    return (
        before is not None and new is not None and (old is None or abs(round(new, 2) - round(old, 2)) >= CHANGE - 1e-9)
    )


def scoreboard(
    now, before=None, *, steps=None, below=None, yours=(), title: str | Text = "", note: Text | None = None
) -> Picture:
    """`now` is {(number format, rows, columns): time of the best copy ÷ time of the kernel}; what is missing does not fit.

    `before` are those of the last notebook: what changed is bold, its old number above it. `steps` is {cell: (the
    name of the step that did it, whether that is this notebook's)}, written below the number. `below` is a second, small board:
    what it shows, and its numbers. Cells in `yours` are the reader's own; a `note` may say what keeps others from being his.
    """
    shown, small = below or ("", None)
    boards = [(now, before, 40 if style.narrow() else HIGH)] + ([(small, None, LOW)] if small else [])
    lines = len(SHAPES if style.narrow() else DTYPES)
    tall = sum(lines * (high + 4) for *_, high in boards) + 40 * (len(boards) - 1)
    canvas = Canvas(TOP + tall + (44 if yours else 14), title)
    _scale(canvas, 58, "最好的复制的用时 ÷ kernel 的用时 · time of the best copy ÷ time of the kernel")
    if steps:
        canvas.text(
            24, 82, "小字：靠哪一步，粗的是新的 · small: the step that did it, new in bold", style.SMALL, "mute"
        )
    _heads(canvas)
    y = TOP
    for board, old, high in boards:
        if board is small:
            canvas.text(24, y + 26, shown, style.SMALL, "mute")
            y += 40
        for line in range(lines):
            told, cells = _line(line)
            canvas.text(
                LEFT - 12, y + high / 2 + 5, told, style.SMALL, "ink", "end", bold=not style.narrow(), fit=LEFT - 18
            )
            for x, wide, cell in cells:
                _cell(canvas, x, y, wide, high, cell, board, old, (steps or {}).get(cell) if board is now else None)
                if board is now and cell in yours:
                    canvas.rect(x, y + 1, wide - 4, high - 2, None, "ink", line=1.8, round_=5)
            y += high + 4
    if yours:
        canvas.rect(24, y + 12, 22, 16, None, "ink", line=1.8, round_=4)
        canvas.text(54, y + 25, "这些格是你的 kernel 的 · these cells are your kernel's", style.SMALL)
    told = _told(title, now, before, shown, small)
    return Picture(canvas, told.zh, told.en, note)


def _line(number: int):
    """What a line of the board is called, and its cells: where each begins, how wide it is, what it holds. On a phone a line
    is a shape, else a number format."""
    if style.narrow():
        rows, columns = SHAPES[number]
        told, wide = str(columns) if rows == SHAPES[0][0] else f"{power_of_two(rows)}×{columns}", _half()
        return told, [(LEFT + k * wide, wide, (dtype, rows, columns)) for k, dtype in enumerate(DTYPES)]
    return DTYPES[number], [(_left(k), WIDE, (DTYPES[number], *shape)) for k, shape in enumerate(SHAPES)]


def _half() -> float:
    return (style.WIDTH - LEFT - 20) / 2


def _left(number: int) -> float:
    return LEFT + number * WIDE + (GAP if SHAPES[number][0] != SHAPES[0][0] else 0)


def _scale(canvas, y, told):
    """What colours and marks mean, and of which share."""
    x = 24
    for least, colour, mark in LEVELS:
        x += canvas.text(x, y, mark, style.BODY, colour) + 6
        words = f"≥ {least:.2f}" if least else f"< {LEVELS[-2][0]:.2f}"
        x += canvas.text(x, y, words, style.SMALL, "mute") + 20
    if not style.narrow():
        canvas.text(canvas.width - 24, y, told, style.SMALL, "mute", "end", fit=canvas.width - x - 30)


def _heads(canvas):
    if style.narrow():
        canvas.text(LEFT - 12, TOP - 8, f"{SHAPES[0][0]} ×", style.SMALL, "mute", "end")
        for k, dtype in enumerate(DTYPES):
            canvas.text(LEFT + (k + 0.5) * _half() - 2, TOP - 8, dtype, style.SMALL, "ink", "middle", bold=True)
        return
    for number, (rows, columns) in enumerate(SHAPES):
        middle = _left(number) + WIDE / 2 - 2
        canvas.text(middle, TOP - 8, columns, style.SMALL, "ink", "middle", fit=WIDE - 4)
        if number == 0 or rows != SHAPES[number - 1][0]:
            wide = WIDE * sum(each == rows for each, _ in SHAPES)
            told = Text(f"{power_of_two(rows)} 行", f"{power_of_two(rows)} rows")
            canvas.text(_left(number) + wide / 2 - 2, TOP - 30, told, style.SMALL, "mute", "middle")
            canvas.lines([(_left(number), TOP - 24), (_left(number) + wide - 4, TOP - 24)], "edge", line=1)


def _cell(canvas, x, y, wide, high, cell, now, before, step):
    share = now.get(cell)
    if share is None:
        canvas.rect(x, y + 1, wide - 4, high - 2, "wash", round_=5)
        canvas.text(x + wide / 2 - 2, y + high / 2 + 6, "–", style.BODY, "mute", "middle")
        return
    colour, mark = level(share)
    canvas.rect(x, y + 1, wide - 4, high - 2, colour, opacity=ground(colour), round_=5)
    bold, base = changed(cell, now, before), y + high / 2 + 6
    old = _number(before.get(cell)) if bold else ""
    was = old and f"{old} →"
    name, here = step or ("", False)  # what is grey on paper is too pale on a colour: only weight tells what is new
    if style.narrow():
        canvas.text(x + 5, base, mark, style.SMALL, colour)
        canvas.text(x + 26, base, _number(share), style.BODY, "ink", bold=bold)
        apart = 8 * bool(was and name)
        canvas.text(x + wide - 12, base - 2 - apart, name, style.SMALL, "ink", "end", bold=here, fit=wide - 86)
        canvas.text(x + wide - 12, base - 1 + apart, was and Text(f"原 {old}", f"was {old}"), style.SMALL, "ink", "end")
        return
    canvas.text(x + wide / 2 - 2, y + 18, was, LABEL, "ink", "middle")
    canvas.text(x + wide / 2 - 2, y + 58, name, LABEL, "ink", "middle", bold=here, fit=wide - 6)
    canvas.text(x + 5, base, mark, style.SMALL, colour)
    canvas.text(x + wide - 11, base, _number(share), style.BODY, "ink", "end", bold=bold)


def _number(share: float | None) -> str:
    return "–" if share is None else f"{share:.2f}"


def _told(title, now, before, shown, small) -> Text:
    """Every number in words: what a screen reader says, and what nbval compares."""
    title = Text.of(title)
    zh, en = _cells_told(now, before, "（原 {}）", "，"), _cells_told(now, before, " (was {})", ", ")
    if small:
        zh_shown, en_shown = shown.split(" · ")
        zh += f"。{zh_shown}：" + _cells_told(small, None, "", "，")
        en += f". {en_shown[0].upper()}{en_shown[1:]}: " + _cells_told(small, None, "", ", ")
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


def elements_a_thread(shares, title="") -> Picture:
    """`shares` is {(number format, columns): {elements a thread: time of the best number of warps ÷ this one's}}."""
    held = sorted({each for found in shares.values() for each in found})
    widths = sorted({columns for _, columns in shares})
    left, high, gap, across = (70, 30, 0, 1) if style.narrow() else (104, 30, 20, 2)
    wide = (style.WIDTH - left - 24 - gap) / len(held) / across
    panel = 58 + high * len(widths)
    canvas = Canvas(68 + panel * len(DTYPES) // across + 22, title)
    _scale(canvas, 58, "最快的 warp 数的用时 ÷ 这里的用时 · time of the best number of warps ÷ time")
    for half, dtype in enumerate(DTYPES):
        start, top = left + half % across * (len(held) * wide + gap), 126 + half // across * panel
        canvas.text(start, top - 28, dtype, style.SMALL, "ink", bold=True)
        for k, each in enumerate(held):
            canvas.text(start + (k + 0.5) * wide, top - 8, each, style.SMALL, "mute", "middle")
        for row, columns in enumerate(widths):
            for k, each in enumerate(held):
                share, x, y = shares[dtype, columns].get(each), start + k * wide, top + row * high
                if share is None:
                    canvas.rect(x, y + 1, wide - 3, high - 3, "wash", round_=4)
                    continue
                colour, _ = level(share)
                canvas.rect(x, y + 1, wide - 3, high - 3, colour, opacity=ground(colour), round_=4)
                middle, best = x + wide / 2 - 1, share > 0.9995
                canvas.text(middle, y + 20, f"{share:.2f}", style.SMALL, "ink", "middle", bold=best, fit=wide - 6)
    for half in range(len(DTYPES) // across):
        for row, columns in enumerate(widths):
            canvas.text(left - 12, 126 + half * panel + row * high + 20, columns, style.SMALL, "ink", "end")
    lines = [
        f"{dtype} {columns}: " + ", ".join(f"{each} → {share:.2f}" for each, share in sorted(found.items()))
        for (dtype, columns), found in sorted(shares.items(), key=lambda item: (DTYPES.index(item[0][0]), item[0][1]))
    ]
    return Picture(canvas, f"{title}。" + "；".join(lines) + "。", f"{title}. " + "; ".join(lines) + ".")


def contenders(shares, title="") -> Picture:
    """`shares` is {number format: {name: {(rows, columns): share of the best copy}}}; what is missing could not be launched."""
    found = {shape for ways in shares.values() for each in ways.values() for shape in each}
    shapes = {shape: _shape(*shape) for shape in sorted(found)}
    named = {name: name for name in next(iter(shares.values()))}
    turned = style.narrow() and len(named) < len(shapes)  # on a phone a line is a shape, where that leaves more room
    across, down = (named, shapes) if turned else (shapes, named)
    own = [name for name in named if style.provider(str(name)) == "course"]
    left, top, high, gap = 110 if style.narrow() else 190, 122, 30, 44
    wide = (style.WIDTH - left - 24) / len(across)
    canvas = Canvas(top + (high * len(down) + gap) * len(shares) - gap + 8, title)
    _scale(canvas, 58, "最好的复制的用时 ÷ kernel 的用时 · time of the best copy ÷ time of the kernel")
    y, told = top, []
    for dtype, ways in shares.items():
        canvas.text(24, y - 10, dtype, style.SMALL, "ink", bold=True)
        for k, label in enumerate(across.values()):
            canvas.text(left + (k + 0.5) * wide - 2, y - 10, label, style.SMALL, "mute", "middle", fit=wide - 4)
        for line, label in down.items():
            canvas.text(left - 12, y + 20, label, style.SMALL, "ink", "end", bold=[line] == own, fit=left - 30)
            for k, each in enumerate(across):
                name, shape = (each, line) if turned else (line, each)
                share, x = ways[name].get(shape), left + k * wide
                colour, mark = level(share) if share else ("wash", "")
                mark = "" if wide < 60 else mark  # on a phone there is no room for it
                canvas.rect(x, y + 1, wide - 4, high - 3, colour, opacity=ground(colour) if share else 1, round_=4)
                best = share and share == max(other.get(shape, 0) for other in ways.values())
                ink = "ink" if share else "mute"
                middle = x + wide / 2 + (6 if mark else -2)
                canvas.text(middle, y + 20, _number(share), style.SMALL, ink, "middle", bold=bool(best))
                canvas.text(x + 4, y + 20, mark, style.SMALL, colour)
            y += high
        for name, found in ways.items():
            listed = ", ".join(f"{label} {_number(found.get(shape))}" for shape, label in shapes.items())
            told.append((dtype, Text.of(name), listed))
        y += gap
    zh = "；".join(f"{dtype} {name.zh}：{listed}" for dtype, name, listed in told)
    en = "; ".join(f"{dtype} {name.en}: {listed}" for dtype, name, listed in told)
    return Picture(canvas, f"{Text.of(title).zh}。{zh}。", f"{Text.of(title).en}. {en}.")


def _shape(rows: int, columns: int) -> str:
    return str(columns) if rows == SHAPES[0][0] else f"{power_of_two(rows)}×{columns}"


def regrets(found, title="") -> Picture:
    """`found` is {(rows, columns, number format): (time over the best that was tried, rows a program, warps)}."""
    shapes = list(dict.fromkeys((rows, columns) for rows, columns, _ in found))
    top, high, left, right = 96, 30, 150, 116
    most = max(0.1, math.ceil(10 * (max(regret for regret, *_ in found.values()) - 1)) / 10)
    wide, bottom = style.WIDTH - left - right, top + high * len(shapes)
    canvas = Canvas(bottom + 54, title)
    colours = {"float32": "c5", "bfloat16": "c1"}
    canvas.legend(left, 62, {colours[dtype]: dtype for dtype in DTYPES})
    for k in range(5):
        x = left + k * wide / 4
        canvas.lines([(x, top - 8), (x, bottom)], "grid", line=1)
        if not (style.narrow() and k % 2):
            canvas.text(x, bottom + 20, f"{100 * most * k / 4:.3g} %", style.SMALL, "mute", "middle")
    told = "比试过的最快的慢多少 · slower than the best that was tried"
    canvas.text(left + wide / 2, bottom + 42, told, style.SMALL, "mute", "middle")
    for row, (rows, columns) in enumerate(shapes):
        y = top + row * high + high / 2
        canvas.text(left - 14, y + 5, f"{power_of_two(rows)} × {columns}", style.SMALL, "ink", "end")
        canvas.lines([(left, y), (left + wide, y)], "grid", line=1)
        ways = []
        for dtype in DTYPES:
            regret, together, warps = found[rows, columns, dtype]
            ways.append(f"{together}×{warps}")
            x = left + wide * min(1, (regret - 1) / most)
            canvas.circle(x, y, 6, colours[dtype], "paper", tip=f"{dtype}: {regret:.3f}")
        canvas.text(left + wide + 18, y + 5, ", ".join(dict.fromkeys(ways)), style.SMALL, "mute", fit=right - 30)
    canvas.text(left + wide + 18, 62, Text("行×warp", "rows×warps"), style.SMALL, "mute", fit=right - 30)
    told = "; ".join(
        f"{power_of_two(rows)}×{columns} {dtype} {regret:.3f} ({together}×{warps})"
        for (rows, columns, dtype), (regret, together, warps) in found.items()
    )
    return Picture(canvas, f"{title}。{told}。", f"{title}. {told}.")
