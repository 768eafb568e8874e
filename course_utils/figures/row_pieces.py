"""A row that is no power of two: one padded block of it, or as many pieces as it needs."""

from ..language import Text
from . import style
from .canvas import Canvas
from .picture import Picture

LEFT, WIDE, HIGH = 92, 560, 26
THREADS = 32  # of a warp


def row_pieces(columns: int, pieces: int, piece: int, warps: int) -> Picture:
    """`columns` in a padded block, and in `pieces` of `piece` elements each, held by so many warps."""
    block, held = 1 << (columns - 1).bit_length(), pieces * piece
    each = [max(length // (THREADS * warps), 1) for length in (block, held)]
    canvas = Canvas(146, f"N = {columns}")
    scale = WIDE / max(block, held)
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
