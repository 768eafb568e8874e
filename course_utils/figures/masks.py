"""A masked load, on a GPU and elsewhere."""

from . import style
from .canvas import Canvas
from .picture import Picture

HIGH = 32


def _cell() -> tuple[float, float]:
    """How wide an element is drawn, and where the first one is."""
    return (27, 20) if style.narrow() else (38, 36)


def mask_and_copy(columns: int = 5, block: int = 8) -> Picture:
    """Every lane asked for itself, and one copy with a length."""
    cell, left = _cell()
    down = 250 * style.narrow()  # on a phone the copy stands below
    above, below = 84, 186
    canvas = Canvas(260 + down)
    right = left if down else style.WIDTH - left - cell * block
    ways = (left, 0, "H100：每个 lane 各问一次 · each lane asks"), (right, down, "昇腾：一次拷贝 · Ascend: one copy")
    for x, y, name in ways:
        canvas.text(x, y + 34, name, style.BODY, "ink", bold=True, fit=cell * block + 20)
        canvas.text(x, y + above - 10, "显存 · memory", style.SMALL, "mute")
        cells(canvas, x, y + above, [f"x{i}" if i < columns else "" for i in range(block)], columns)
        cells(canvas, x, y + below, [f"x{i}" if i < columns else "−∞" for i in range(block)], columns)
    for i in range(block):
        middle = left + (i + 0.5) * cell
        if i < columns:
            canvas.arrow((middle, above + HIGH + 4), (middle, below - 4), "ink")
        else:
            canvas.lines([(middle, above + HIGH + 4), (middle, below - 4)], "mute", line=1, dash="3 4")
    canvas.text(left, below + HIGH + 26, "寄存器 · registers", style.SMALL, "mute")
    wide, above, below = cell * columns, above + down, below + down
    canvas.rect(right + 4, above + HIGH + 8, wide - 8, below - above - HIGH - 30, "c0", opacity=0.5)
    tip = below - 4
    canvas.lines([(right, tip - 18), (right + wide, tip - 18), (right + wide / 2, tip)], None, fill="c0", opacity=0.5)
    canvas.text(
        right + wide / 2, above + HIGH + 34, f"memref.copy {columns}", style.SMALL, "ink", "middle", fit=wide - 16
    )
    end, under = right + cell * block, below + HIGH + 5
    canvas.lines([(right + 1, under), (end - 1, under)], "mute", line=2)  # the fill is as wide as the block
    canvas.text(end, under + 20, f"linalg.fill {block}", style.SMALL, "ink", "end")
    canvas.text(right, below + HIGH + 26, "缓冲区 · buffer", style.SMALL, "mute")
    return Picture(
        canvas,
        f"H100：{block} 个 lane 各看自己的掩码，{columns} 个去读，{block - columns} 个得到 −∞。昇腾：先用 −∞ 填满，再拷贝 {columns} 个。",
        f"H100: {block} lanes look at their masks; {columns} load, {block - columns} get −∞. "
        f"Ascend: fill with −∞, then copy {columns}.",
    )


def mask_as_address(columns: int = 5, block: int = 8) -> Picture:
    """Masked-off lanes are given an offset beyond the buffer's end, and the hardware hands out 0."""
    memory, loaded, chosen = 66, 186, 244
    (cell, left), (fence, apart) = _cell(), (340, 12) if style.narrow() else (560, 34)
    canvas, off = Canvas(312), block - columns
    canvas.text(left, memory - 12, "这一行 · this row", style.SMALL, "mute")
    after = left + cell * columns
    canvas.text(after + 4, memory - 12, "下一行 · the next row", style.SMALL, "mute")
    cells(canvas, left, memory, [f"x{i}" for i in range(columns)] + [""] * columns, columns)
    canvas.text(after + cell * columns + apart - 4, memory + 21, "⋯", style.BODY, "mute")
    canvas.lines([(fence, memory - 26), (fence, memory + HIGH + 18)], "alarm", line=2)
    canvas.text(fence - 8, memory - 12, "0x7ffffffe B", style.SMALL, "alarm", "end")
    canvas.text(fence + 10, memory - 12, "界外 · beyond", style.SMALL, "mute")
    outside = fence + apart
    canvas.rect(outside, memory, 3 * cell, HIGH, None, "mute", dash="3 4", round_=2)
    canvas.text(outside + 1.5 * cell, memory + 21, "2³¹", style.BODY, "ink", "middle")
    for i in range(block):
        middle = left + (i + 0.5) * cell
        if i < columns:
            canvas.arrow((middle, memory + HIGH + 4), (middle, loaded - 4))
        else:
            canvas.curve(
                (outside + (i - columns + 1) * 3 * cell / (off + 1), memory + HIGH + 4),
                (middle, loaded - 4),
                "alarm",
                dash="4 4",
            )
    found = [f"x{i}" for i in range(columns)]
    cells(canvas, left, loaded, found + ["0"] * off, columns)
    cells(canvas, left, chosen, found + ["−∞"] * off, columns)
    right = left + cell * block + 14
    canvas.text(right, loaded + 21, "buffer_load", style.SMALL, "ink")
    canvas.text(right, chosen + 21, "v_cndmask：值 · v_cndmask: value", style.SMALL, "ink")
    canvas.text(style.WIDTH - 8, memory + HIGH + 66, "v_cndmask：偏移 · v_cndmask: offset", style.SMALL, "ink", "end")
    canvas.text(left, chosen + HIGH + 22, "寄存器 · registers", style.SMALL, "mute")
    return Picture(
        canvas,
        f"AMD：{columns} 个 lane 读自己的元素，{off} 个被指到缓冲区的末尾之外，硬件给它们 0，再换成 −∞。",
        f"AMD: {columns} lanes load their elements; {off} are sent beyond the buffer's end, get 0 from the hardware, then −∞.",
    )


def cells(canvas, x, y, names, columns):
    """A row of cells; the first `columns` hold data."""
    cell, _ = _cell()
    for i, name in enumerate(names):
        inside = i < columns
        canvas.rect(
            x + i * cell + 1, y, cell - 2, HIGH, "c0" if inside else "wash", None if inside else "mute", round_=2
        )
        canvas.text(x + (i + 0.5) * cell, y + 21, name, style.SMALL, "on" if inside else "ink", "middle")
