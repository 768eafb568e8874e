"""A row that is no power of two: one padded block of it, or as many pieces as it needs, and who holds what of a piece."""

from ..language import Text
from . import style
from .canvas import Canvas
from .picture import Picture

LEFT, WIDE, HIGH = 92, 560, 26
THREADS = 32  # of a warp


def row_pieces(columns: int, pieces: int, warps: int, lanes: int) -> Picture:
    """`columns` in a padded block, and in `pieces` of `warps` × `lanes` elements each."""
    block, piece = 1 << (columns - 1).bit_length(), warps * lanes
    held = pieces * piece
    each = max(lanes // THREADS, 1)
    canvas = Canvas(262, f"N = {columns}")
    scale = WIDE / max(block, held)
    for top, name, length, cuts in ((48, "一块 · one block", block, 1), (92, "碎块 · pieces", held, pieces)):
        _bar(canvas, top, name, columns, length, cuts, scale)
    wide = scale * piece
    _zoom(canvas, 92 + HIGH, LEFT, LEFT + wide, 146)
    _shares(canvas, 150, "WARPS", warps, "c", f"{warps} × {lanes}")
    _zoom(canvas, 150 + HIGH, LEFT, LEFT + WIDE / warps, 218)
    _shares(canvas, 222, "LANES", min(THREADS, lanes), "c0", f"{min(THREADS, lanes)} × {each}")
    idle = f"{1 - columns / block:.0%} → {1 - columns / held:.0%}"
    return Picture(
        canvas,
        f"{columns} 列：一块 {block}，碎块 {pieces} × {warps} × {lanes} = {held}，空闲 {idle}。",
        f"{columns} columns: one block of {block}, pieces {pieces} × {warps} × {lanes} = {held}, idle {idle}.",
        Text(
            f"斜线是填充。每个线程在每块碎块里有 {each} 个元素，一共 {each * pieces} 个。",
            f"Hatched: padding. A thread has {each} elements of every piece, {each * pieces} in all.",
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


def _zoom(canvas, top, left, right, bottom):
    canvas.lines([(LEFT, top), (LEFT, bottom)], "mute", line=1, dash="3 3")
    canvas.lines([(right, top), (LEFT + WIDE, bottom)], "mute", line=1, dash="3 3")


def _shares(canvas, top, name, count, colour, note):
    canvas.text(LEFT - 8, top + 18, name, style.SMALL, "mute", "end")
    wide = WIDE / count
    for k in range(count):
        fill = style.counted(k) if colour == "c" else colour
        canvas.rect(LEFT + k * wide, top, wide - 2, HIGH, fill, round_=2)
        if wide > 24:
            canvas.text(LEFT + (k + 0.5) * wide - 1, top + 17, k, style.SMALL, "on", "middle")
    canvas.text(LEFT + WIDE + 8, top + 18, note, style.SMALL, "ink")
