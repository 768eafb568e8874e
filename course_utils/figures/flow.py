"""Arrays in memory, the calls between them, and every arrow counted."""

from . import style
from .canvas import Canvas
from .picture import Picture
from .units import size

# of each array how many elements it has; of each call what it reads, and what it writes
SOFTMAX = {"x": "MN", "m": "M", "z": "MN", "e": "MN", "s": "M", "y": "MN"}
STEPS = (("max", "x", "m"), ("x − m", "xm", "z"), ("exp", "z", "e"), ("sum", "e", "s"), ("e ÷ s", "es", "y"))


def memory_flow(rows, cols) -> Picture:
    """The five calls of the naive softmax with what each reads and writes, and the totals, in bytes too."""
    canvas = Canvas(330 + 24 * style.narrow())
    left, right, top, bottom, box_y = 20, canvas.width - 20, 76, 136, 216
    canvas.rect(left, 58, right - left, 96, "wash", round_=8)
    canvas.text(left + 14, 40, "显存 · GPU memory", style.BODY, "ink", bold=True)
    span = (right - left - 40) / len(SOFTMAX)
    place = {name: left + 20 + span * (i + 0.5) for i, name in enumerate(SOFTMAX)}
    for name, x in place.items():
        wide, label = (64, f"{name} [M, N]") if SOFTMAX[name] == "MN" else (18, name)
        if style.narrow():
            wide, label = min(wide, 44), name
        colour, ink = {"x": ("c0", "on"), "y": ("c2", "on")}.get(name, ("void", "ink"))
        canvas.rect(x - wide / 2, top, wide, 60, colour, "paper", round_=3)
        canvas.text(x, top + 35, label, style.BODY, ink, "middle", fit=wide - 6)
    centre = [place["x"] + (place["y"] - place["x"]) * (i + 0.5) / len(STEPS) for i in range(len(STEPS))]
    half = 28 if style.narrow() else 46
    for x, (call, *_) in zip(centre, STEPS):
        canvas.rect(x - half, box_y, 2 * half, 34, "paper", "ink", line=1.5, round_=6)
        canvas.text(x, box_y + 22, call, style.BODY, "ink", "middle", bold=True)
    aside = {"MN": 16, "M": 5}  # reads leave on the right, writes arrive on the left
    for x, (_, reads, write) in zip(centre, STEPS):
        for k, name in enumerate(reads):
            draw_wire(canvas, (place[name] + aside[SOFTMAX[name]], bottom), (x - 24 + 16 * k, box_y), "read")
        draw_wire(canvas, (x + 26, box_y), (place[write] - aside[SOFTMAX[write]], bottom), "write")
        read = " + ".join(SOFTMAX[name] for name in reads)
        canvas.text(x, box_y + 52, f"↓ {read}", style.SMALL, "ink", "middle")
        canvas.text(x, box_y + 68, f"↑ {SOFTMAX[write]}", style.SMALL, "ink", "middle")
    canvas.legend(right - 150, 40, {"read": "读 · read", "write": "写 · write"})
    read = _total([name for _, reads, _ in STEPS for name in reads], rows, cols)
    written = _total([write for *_, write in STEPS], rows, cols)
    total = f"Σ   ↓ {read[0]}   ↑ {written[0]}", f"M = {rows}, N = {cols}：  ↓ {read[1]}   ↑ {written[1]}"
    for k, line in enumerate(total if style.narrow() else ["      ".join(total)]):
        canvas.text(canvas.width / 2, 316 + 24 * k, line, style.BODY, "ink", "middle", bold=True, fit=right - left)
    return Picture(
        canvas,
        f"朴素 softmax 的五次调用：读 {read[0]} 个元素，写 {written[0]} 个元素",
        f"The naive softmax's five calls: {read[0]} elements read, {written[0]} written",
    )


def _total(names, rows, cols) -> tuple[str, str]:
    """Elements of so many arrays, such as 5MN + 2M, and their bytes."""
    whole = sum(SOFTMAX[name] == "MN" for name in names)
    columns = len(names) - whole
    return f"{whole}MN + {f'{columns}' * (columns > 1)}M", size(4 * rows * (whole * cols + columns))


def draw_wire(canvas, start, end, colour):
    x1, y1 = end
    way = 1 if y1 > start[1] else -1
    canvas.curve(start, (x1, y1 - 7 * way), colour, line=2.2)
    canvas.lines([(x1, y1), (x1 - 4.5, y1 - 8 * way), (x1 + 4.5, y1 - 8 * way)], None, fill=colour)
