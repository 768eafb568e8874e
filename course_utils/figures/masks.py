"""A masked load, on a GPU and elsewhere."""

from . import style
from .canvas import Canvas
from .picture import Picture

CELL, HIGH, LEFT = 38, 32, 36


def mask_and_copy(columns: int = 5, block: int = 8) -> Picture:
    """Every lane asked for itself, and one copy with a length."""
    above, below = 84, 186
    canvas = Canvas(260)
    left, right = 36, style.WIDTH - 36 - CELL * block
    for x, name in ((left, "GPU：每个 lane 各问一次 · each lane asks"), (right, "昇腾：一次拷贝 · Ascend: one copy")):
        canvas.text(x, 34, name, style.BODY, "ink", bold=True, fit=CELL * block + 20)
        canvas.text(x, above - 10, "显存 · memory", style.SMALL, "mute")
        cells(canvas, x, above, [f"x{i}" if i < columns else "" for i in range(block)], columns)
        cells(canvas, x, below, [f"x{i}" if i < columns else "−∞" for i in range(block)], columns)
    for i in range(block):
        middle = left + (i + 0.5) * CELL
        if i < columns:
            canvas.arrow((middle, above + HIGH + 4), (middle, below - 4), "ink")
        else:
            canvas.lines([(middle, above + HIGH + 4), (middle, below - 4)], "mute", line=1, dash="3 4")
    canvas.text(left, below + HIGH + 26, "寄存器 · registers", style.SMALL, "mute")
    wide = CELL * columns
    canvas.rect(right + 4, above + HIGH + 8, wide - 8, below - above - HIGH - 30, "c0", opacity=0.5)
    tip = below - 4
    canvas.lines([(right, tip - 18), (right + wide, tip - 18), (right + wide / 2, tip)], None, fill="c0", opacity=0.5)
    canvas.text(
        right + wide / 2, above + HIGH + 34, f"memref.copy {columns}", style.SMALL, "ink", "middle", fit=wide - 16
    )
    end, under = right + CELL * block, below + HIGH + 5
    canvas.lines([(right + 1, under), (end - 1, under)], "mute", line=2)  # the fill is as wide as the block
    canvas.text(end, under + 20, f"linalg.fill {block}", style.SMALL, "ink", "end")
    canvas.text(right, below + HIGH + 26, "缓冲区 · buffer", style.SMALL, "mute")
    return Picture(
        canvas,
        f"GPU：{block} 个 lane 各看自己的掩码，{columns} 个去读，{block - columns} 个得到 −∞。昇腾：先用 −∞ 填满，再拷贝 {columns} 个。",
        f"GPU: {block} lanes look at their masks; {columns} load, {block - columns} get −∞. "
        f"Ascend: fill with −∞, then copy {columns}.",
    )


def mask_as_address(columns: int = 5, block: int = 8) -> Picture:
    """Masked-off lanes are given an offset beyond the buffer's end, and the hardware hands out 0."""
    memory, loaded, chosen, fence = 66, 186, 244, 560
    canvas, off = Canvas(312), block - columns
    canvas.text(LEFT, memory - 12, "这一行 · this row", style.SMALL, "mute")
    after = LEFT + CELL * columns
    canvas.text(after + 4, memory - 12, "下一行 · the next row", style.SMALL, "mute")
    cells(canvas, LEFT, memory, [f"x{i}" for i in range(columns)] + [""] * columns, columns)
    canvas.text(after + CELL * columns + 30, memory + 21, "⋯", style.BODY, "mute")
    canvas.lines([(fence, memory - 26), (fence, memory + HIGH + 18)], "alarm", line=2)
    canvas.text(fence - 8, memory - 12, "0x7ffffffe B", style.SMALL, "alarm", "end")
    canvas.text(fence + 10, memory - 12, "这以外 · beyond", style.SMALL, "mute")
    outside = fence + 34
    canvas.rect(outside, memory, 3 * CELL, HIGH, None, "mute", dash="3 4", round_=2)
    canvas.text(outside + 1.5 * CELL, memory + 21, "2³¹", style.BODY, "ink", "middle")
    for i in range(block):
        middle = LEFT + (i + 0.5) * CELL
        if i < columns:
            canvas.arrow((middle, memory + HIGH + 4), (middle, loaded - 4))
        else:
            canvas.curve(
                (outside + (i - columns + 1) * 3 * CELL / (off + 1), memory + HIGH + 4),
                (middle, loaded - 4),
                "alarm",
                dash="4 4",
            )
    found = [f"x{i}" for i in range(columns)]
    cells(canvas, LEFT, loaded, found + ["0"] * off, columns)
    cells(canvas, LEFT, chosen, found + ["−∞"] * off, columns)
    right = LEFT + CELL * block + 14
    canvas.text(right, loaded + 21, "buffer_load", style.SMALL, "ink")
    canvas.text(right, chosen + 21, "v_cndmask", style.SMALL, "ink")
    canvas.text(LEFT, chosen + HIGH + 22, "寄存器 · registers", style.SMALL, "mute")
    return Picture(
        canvas,
        f"AMD：{columns} 个 lane 读自己的元素，{off} 个被指到缓冲区的末尾之外，硬件给它们 0，再换成 −∞。",
        f"AMD: {columns} lanes load their elements; {off} are sent beyond the buffer's end, get 0 from the hardware, then −∞.",
    )


def cells(canvas, x, y, names, columns):
    """A row of cells; the first `columns` hold data."""
    for i, name in enumerate(names):
        inside = i < columns
        canvas.rect(
            x + i * CELL + 1, y, CELL - 2, HIGH, "c0" if inside else "wash", None if inside else "mute", round_=2
        )
        canvas.text(x + (i + 0.5) * CELL, y + 21, name, style.SMALL, "on" if inside else "ink", "middle")
