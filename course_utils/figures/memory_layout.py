"""A matrix as it lies in memory: rows one after another, `row_stride` elements apart."""

from ..language import Text
from . import style
from .canvas import Canvas
from .picture import Picture


def strided_rows(rows=3, cols=5, row_stride=8, row=1, assumed_stride=None, name="x") -> Picture:
    """Where row number `row` begins in memory; with `assumed_stride`, also where a program that believes it would look."""
    if row_stride < cols:
        raise ValueError(f"row_stride {row_stride} < cols {cols}")
    count = rows * row_stride
    cell = min(34.0, (style.WIDTH - 48) / count)
    canvas = Canvas(236 if assumed_stride is None else 262)
    left, top = 24, 150
    for r in range(rows):  # the matrix, small, above its rows in memory
        x = left + r * row_stride * cell
        canvas.text(x, 44, f"{name}[{r}, :{cols if row_stride > cols else ''}]", style.BODY, "ink", bold=r == row)
        for c in range(cols):
            canvas.rect(
                x + c * cell, 54, cell, 28, style.counted(r), "paper", line=1.2, opacity=1 if r == row else 0.45
            )
        canvas.lines([(x, 84), (x, top - 4)], "mute", line=1, dash="3 3")
    canvas.text(left + 8, top - 14, "显存 · memory", style.SMALL, "mute")
    for address in range(count):
        r, c = divmod(address, row_stride)
        x = left + address * cell
        if c < cols:
            canvas.rect(x, top, cell, 30, style.counted(r), "paper", line=1.2, opacity=1 if r == row else 0.45)
        else:
            canvas.rect(x, top, cell, 30, "wash", "edge")
        if cell >= 14 or address % row_stride == 0:
            canvas.text(x + cell / 2, top + 44, address, 12.5, "mute", "middle", fit=max(cell - 1, 16))
    starts = [(row_stride, "ink", "✓")] + ([(assumed_stride, "alarm", "✗")] if assumed_stride is not None else [])
    for k, (stride, colour, mark) in enumerate(starts):
        begin = row * stride
        x, y = left + begin * cell, top + 62 + k * 26
        canvas.lines([(x, y), (x + cols * cell, y)], colour, line=3)
        canvas.lines([(x, y - 10), (x, y)], colour, line=2)
        text = f"{mark}  {row} × {stride} = {begin}"
        beside = x + cols * cell + 10
        if beside + 110 > canvas.width:
            canvas.text(x - 10, y + 4, text, style.BODY, colour, "end", bold=True)
        else:
            canvas.text(beside, y + 4, text, style.BODY, colour, bold=True)
    wrong = assumed_stride is not None and assumed_stride != row_stride and row > 0
    return Picture(
        canvas,
        f"{rows}×{cols} 的矩阵，行步幅 {row_stride}：第 {row} 行从 {row * row_stride} 开始。",
        f"A {rows}×{cols} matrix, row stride {row_stride}: row {row} begins at {row * row_stride}.",
        Text(
            f"把步幅当成 {assumed_stride}，第 {row} 行就会从 {row * assumed_stride} 读起：错位，而且不报错。",
            f"Taking the stride to be {assumed_stride} starts row {row} at {row * assumed_stride}: shifted, with no error.",
        )
        if wrong
        else None,
    )
