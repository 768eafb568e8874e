"""The same masked load twice: every lane asked for itself, and one copy with a length."""

from . import style
from .canvas import Canvas
from .picture import Picture

CELL, HIGH, TOP, BELOW = 38, 32, 84, 186


def mask_and_copy(columns: int = 5, block: int = 8) -> Picture:
    canvas = Canvas(style.WIDTH, 260)
    left, right = 36, style.WIDTH - 36 - CELL * block
    for x, name in ((left, "GPU：每个 lane 各问一次 · each lane asks"), (right, "昇腾：一次拷贝 · Ascend: one copy")):
        canvas.text(x, 34, name, style.BODY, "ink", bold=True, fit=CELL * block + 20)
        canvas.text(x, TOP - 10, "显存 · memory", style.SMALL, "mute")
        cells(canvas, x, TOP, [f"x{i}" if i < columns else "" for i in range(block)], columns)
        cells(canvas, x, BELOW, [f"x{i}" if i < columns else "−∞" for i in range(block)], columns)
    for i in range(block):
        middle = left + (i + 0.5) * CELL
        if i < columns:
            canvas.arrow((middle, TOP + HIGH + 4), (middle, BELOW - 4), "ink")
        else:
            canvas.lines([(middle, TOP + HIGH + 4), (middle, BELOW - 4)], "mute", line=1, dash="3 4")
    canvas.text(left, BELOW + HIGH + 26, "寄存器 · registers", style.SMALL, "mute")
    wide = CELL * columns
    canvas.rect(right + 4, TOP + HIGH + 8, wide - 8, BELOW - TOP - HIGH - 30, "c0", opacity=0.5)
    tip = BELOW - 4
    canvas.lines([(right, tip - 18), (right + wide, tip - 18), (right + wide / 2, tip)], None, fill="c0", opacity=0.5)
    canvas.text(
        right + wide / 2, TOP + HIGH + 34, f"memref.copy {columns}", style.SMALL, "ink", "middle", fit=wide - 16
    )
    end, under = right + CELL * block, BELOW + HIGH + 5
    canvas.lines([(right + 1, under), (end - 1, under)], "mute", line=2)  # the fill is as wide as the block
    canvas.text(end, under + 20, f"linalg.fill {block}", style.SMALL, "ink", "end")
    canvas.text(right, BELOW + HIGH + 26, "缓冲区 · buffer", style.SMALL, "mute")
    return Picture(
        canvas,
        f"GPU：{block} 个 lane 各看自己的掩码，{columns} 个去读，{block - columns} 个得到 −∞。昇腾：先用 −∞ 填满，再拷贝 {columns} 个。",
        f"GPU: {block} lanes look at their masks; {columns} load, {block - columns} get −∞. "
        f"Ascend: fill with −∞, then copy {columns}.",
    )


def cells(canvas, x, y, names, columns):
    """A row of cells; the first `columns` hold data."""
    for i, name in enumerate(names):
        inside = i < columns
        canvas.rect(
            x + i * CELL + 1, y, CELL - 2, HIGH, "c0" if inside else "wash", None if inside else "mute", round_=2
        )
        canvas.text(x + (i + 0.5) * CELL, y + 21, name, style.SMALL, "on" if inside else "ink", "middle")
