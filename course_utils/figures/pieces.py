"""A row in pieces, and rows that begin off the grid of vectorized loads."""

from ..language import Text
from . import style
from .canvas import Canvas
from .picture import Picture

LEFT, HIGH = 92, 26
THREADS = 32  # of a warp


def row_pieces(columns: int, pieces: int, piece: int, warps: int) -> Picture:
    """`columns` in a padded block, and in `pieces` of `piece` elements each, held by so many warps."""
    block, held = 1 << (columns - 1).bit_length(), pieces * piece
    each = [max(length // (THREADS * warps), 1) for length in (block, held)]
    canvas = Canvas(146, f"N = {columns}")
    scale = (style.WIDTH - LEFT - (60 if style.narrow() else 108)) / max(block, held)
    for top, name, length, cuts in ((48, "一块 · one block", block, 1), (92, "分段 · pieces", held, pieces)):
        _bar(canvas, top, name, columns, length, cuts, scale)
    idle = f"{1 - columns / block:.0%} → {1 - columns / held:.0%}"
    return Picture(
        canvas,
        f"{columns} 列：一块 {block}，分段 {pieces} × {piece} = {held}，填充 {idle}，每个线程 {each[0]} → {each[1]} 个元素。",
        f"{columns} columns: one block of {block}, pieces {pieces} × {piece} = {held}, padding {idle}, elements of a thread "
        f"{each[0]} → {each[1]}.",
        Text(
            f"斜线是填充。{warps} 个 warp，每个线程从 {each[0]} 个元素减到 {each[1]} 个。",
            f"Hatched: padding. With {warps} warps a thread goes from {each[0]} elements to {each[1]}.",
        ),
    )


def _bar(canvas, top, name, columns, length, cuts, scale):
    canvas.text(LEFT - 8, top + 18, name, style.SMALL, "mute", "end", fit=LEFT - 20)
    part = length / cuts
    for k in range(cuts):
        x, wide = LEFT + scale * k * part, scale * part - 2
        filled = max(min((columns - k * part) / part, 1) * wide, 2)  # a single element is seen, too
        canvas.rect(x, top, wide, HIGH, "wash", "mute", round_=2)
        canvas.hatch(x + filled, top, wide - filled, HIGH, "mute")
        canvas.rect(x, top, filled, HIGH, "c0", round_=2)
        if cuts > 1 and filled > 12:
            canvas.text(x + wide / 2, top + 17, k, style.SMALL, "on", "middle")
    canvas.text(LEFT + scale * length + 8, top + 18, f"{length}", style.SMALL, "ink")


TOP, STEP, WORD_HIGH = 74, 46, 26
WORDS = 3  # of the grid, at either end


def ragged_rows(columns: int, vector: int, rows: int = 4) -> Picture:
    """The first rows of a dense matrix, in words of `vector` elements that one load can take."""
    canvas = Canvas(TOP + rows * STEP, f"N = {columns}")
    # where a row's beginning and its end are drawn, and how wide
    begins, end, wide = (86, 278, 132) if style.narrow() else (86, 470, 240)
    canvas.legend(24, 58, {"c0": f"一次 {vector} 个 · {vector} at once", "c1": "一个一个 · one by one"})
    told = []
    for row in range(rows):
        first, last = row * columns, (row + 1) * columns
        body = -(-first // vector) * vector
        body_end = max(last // vector * vector, body)
        y = TOP + row * STEP
        canvas.text(24, y + 18, f"row {row}", style.SMALL, "ink", bold=True)
        ends = (begins, first // vector * vector), (end, -(-last // vector) * vector - WORDS * vector)
        for x, start in ends:
            _words(canvas, x, y, wide / (WORDS * vector), start, vector, (first, body, body_end, last))
        told.append(f"{body - first} + {body_end - body} + {last - body_end}")
        canvas.text((begins + wide + end) / 2, y + 18, f"… {body_end - body} …", style.SMALL, "ink", "middle")
        canvas.text(begins - 6, y + 18, body - first, style.SMALL, "mute", "end")
        canvas.text(end + wide + 8, y + 18, last - body_end, style.SMALL, "mute")
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


def _words(canvas, x, y, cell, start, vector, bounds):
    first, body, body_end, last = bounds
    for k in range(WORDS * vector):
        at = start + k
        mine = first <= at < last
        colour = "c0" if body <= at < body_end else "c1" if mine else "wash"
        canvas.rect(x + k * cell, y, cell - 1, WORD_HIGH, colour)
    for word in range(WORDS):
        canvas.rect(x + word * vector * cell - 1, y - 2, vector * cell, WORD_HIGH + 4, None, "ink", line=1.4)
