"""Rows that begin off the grid of vectorized loads: what is peeled off at both ends, and the body between."""

from ..language import Text
from . import style
from .canvas import Canvas
from .picture import Picture

TOP, STEP, HIGH, WIDE = 74, 46, 26, 240
LEFT, RIGHT = 86, 470  # where a row's beginning and its end are drawn
WORDS = 3  # of the grid, at either end


def ragged_rows(columns: int, vector: int, rows: int = 4) -> Picture:
    """The first rows of a dense matrix, in words of `vector` elements that one load can take."""
    canvas = Canvas(TOP + rows * STEP, f"N = {columns}")
    canvas.legend(24, 58, {"c0": f"一次 {vector} 个 · {vector} at once", "c1": "一个一个 · one by one"})
    told = []
    for row in range(rows):
        first, last = row * columns, (row + 1) * columns
        body = -(-first // vector) * vector
        body_end = max(last // vector * vector, body)
        y = TOP + row * STEP
        canvas.text(24, y + 18, f"row {row}", style.SMALL, "ink", bold=True)
        ends = (LEFT, first // vector * vector), (RIGHT, -(-last // vector) * vector - WORDS * vector)
        for x, start in ends:
            _words(canvas, x, y, start, vector, (first, body, body_end, last))
        told.append(f"{body - first} + {body_end - body} + {last - body_end}")
        canvas.text((LEFT + WIDE + RIGHT) / 2, y + 18, f"… {body_end - body} …", style.SMALL, "ink", "middle")
        canvas.text(LEFT - 6, y + 18, body - first, style.SMALL, "mute", "end")
        canvas.text(RIGHT + WIDE + 8, y + 18, last - body_end, style.SMALL, "mute")
    rows_told = [f"row {row}: {each}" for row, each in enumerate(told)]
    return Picture(
        canvas,
        f"{columns} 列，一次读 {vector} 个。前面零头、中间、后面零头：{'；'.join(rows_told)}。",
        f"{columns} columns, {vector} at a time. Before, body, after: {'; '.join(rows_told)}.",
        Text(
            "粗框是一次向量化加载能取的一组。左边的数是前面的零头，右边的是后面的。",
            "A frame is what one vectorized load takes. The number on the left counts the elements before the body, the right one those after.",
        ),
    )


def _words(canvas, x, y, start, vector, bounds):
    first, body, body_end, last = bounds
    cell = WIDE / (WORDS * vector)
    for k in range(WORDS * vector):
        at = start + k
        mine = first <= at < last
        colour = "c0" if body <= at < body_end else "c1" if mine else "wash"
        canvas.rect(x + k * cell, y, cell - 1, HIGH, colour)
    for word in range(WORDS):
        canvas.rect(x + word * vector * cell - 1, y - 2, vector * cell, HIGH + 4, None, "ink", line=1.4)
