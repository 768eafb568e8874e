"""Two kernels that share rows out: between them a buffer of pairs, which each program of the first writes one of and each of the
second reads a row of."""

from . import style
from .canvas import Canvas
from .picture import Picture

LEFT, TOP, HIGH, GAP = 24, 76, 30, 40


def pairs_buffer(rows=2, parts=4) -> Picture:
    """Rows in so many parts, the buffer in memory with its places numbered, and the parts again."""
    canvas = Canvas(TOP + 320)
    wide = canvas.width - 2 * LEFT
    each = (wide - GAP * (rows - 1)) / rows
    first, buffer, second = TOP, TOP + 110, TOP + 230
    canvas.text(
        LEFT, first - 34, "第一个 kernel：一个 program 求一对 · first kernel: a program finds one pair", style.SMALL
    )
    told = "第二个 kernel：一个 program 读本行的每一对 · second kernel: a program reads every pair of its row"
    canvas.text(LEFT, second + HIGH + 34, told, style.SMALL)
    for row in range(rows):
        left, part_wide = LEFT + row * (each + GAP), each / parts
        canvas.text(left, first - 8, f"第 {row} 行 · row {row}", style.SMALL, "mute")
        for part in range(parts):
            x, colour = left + part * part_wide, style.counted(part)
            for y, name in ((first, part), (second, part)):
                canvas.rect(x + 1, y, part_wide - 2, HIGH, colour, round_=3, opacity=0.75)
                canvas.text(x + part_wide / 2, y + 21, name, style.SMALL, "on", "middle")
            canvas.arrow((x + part_wide / 2, first + HIGH + 4), (x + part_wide / 2, buffer - 4), colour)
            place = (row * parts + part) * 2
            for k, what in enumerate("ms"):
                cell = x + k * part_wide / 2
                canvas.rect(cell, buffer, part_wide / 2, HIGH, colour, "paper", line=1.5)
                canvas.text(cell + part_wide / 4, buffer + 20, what, style.SMALL, "on", "middle")
                canvas.text(cell + part_wide / 4, buffer + HIGH + 17, place + k, style.SMALL, "mute", "middle")
        middle, y = left + each / 2, buffer + HIGH + 26
        canvas.lines([(left + 2, y), (left + 2, y + 7), (left + each - 2, y + 7), (left + each - 2, y)], "mute")
        for part in range(parts):
            canvas.lines([(middle, y + 7), (left + (part + 0.5) * part_wide, second - 4)], "mute", line=1.2)
    zh = f"{rows} 行各 {parts} 段：第一个 kernel 的每个 program 写一对，第 row 行第 part 段写在 (row × {parts} + part) × 2；第二个的每个 program 读本行的 {parts} 对。"
    en = f"{rows} rows in {parts} parts: each program of the first kernel writes one pair, that of part `part` of row `row` at (row × {parts} + part) × 2; each of the second reads the {parts} pairs of its row."
    return Picture(canvas, zh, en)
