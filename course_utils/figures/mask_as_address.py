"""The same masked load on AMD: masked-off lanes are given an offset beyond the buffer's end, and the hardware hands out 0."""

from . import style
from .canvas import Canvas
from .mask_and_copy import CELL, HIGH, cells
from .picture import Picture

LEFT = 36
MEMORY, LOADED, CHOSEN = 66, 186, 244
FENCE = 560


def mask_as_address(columns: int = 5, block: int = 8) -> Picture:
    canvas, off = Canvas(style.WIDTH, 312), block - columns
    canvas.text(LEFT, MEMORY - 12, "这一行 · this row", style.SMALL, "mute")
    after = LEFT + CELL * columns
    canvas.text(after + 4, MEMORY - 12, "下一行 · the next row", style.SMALL, "mute")
    cells(canvas, LEFT, MEMORY, [f"x{i}" for i in range(columns)] + [""] * columns, columns)
    canvas.text(after + CELL * columns + 30, MEMORY + 21, "⋯", style.BODY, "mute")
    canvas.lines([(FENCE, MEMORY - 26), (FENCE, MEMORY + HIGH + 18)], "alarm", line=2)
    canvas.text(FENCE - 8, MEMORY - 12, "0x7ffffffe B", style.SMALL, "alarm", "end")
    canvas.text(FENCE + 10, MEMORY - 12, "这以外 · beyond", style.SMALL, "mute")
    outside = FENCE + 34
    canvas.rect(outside, MEMORY, 3 * CELL, HIGH, None, "mute", dash="3 4", round_=2)
    canvas.text(outside + 1.5 * CELL, MEMORY + 21, "2³¹", style.BODY, "ink", "middle")
    for i in range(block):
        middle = LEFT + (i + 0.5) * CELL
        if i < columns:
            canvas.arrow((middle, MEMORY + HIGH + 4), (middle, LOADED - 4))
        else:
            canvas.curve(
                (outside + (i - columns + 1) * 3 * CELL / (off + 1), MEMORY + HIGH + 4),
                (middle, LOADED - 4),
                "alarm",
                dash="4 4",
            )
    loaded = [f"x{i}" for i in range(columns)]
    cells(canvas, LEFT, LOADED, loaded + ["0"] * off, columns)
    cells(canvas, LEFT, CHOSEN, loaded + ["−∞"] * off, columns)
    right = LEFT + CELL * block + 14
    canvas.text(right, LOADED + 21, "buffer_load", style.SMALL, "ink")
    canvas.text(right, CHOSEN + 21, "v_cndmask", style.SMALL, "ink")
    canvas.text(LEFT, CHOSEN + HIGH + 22, "寄存器 · registers", style.SMALL, "mute")
    return Picture(
        canvas,
        f"AMD：{columns} 个 lane 读自己的元素，{off} 个被指到缓冲区的末尾之外，硬件给它们 0，再换成 −∞。",
        f"AMD: {columns} lanes load their elements; {off} are sent beyond the buffer's end, get 0 from the hardware, then −∞.",
    )
