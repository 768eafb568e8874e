"""What five calls read and write, drawn between two lanes: the memory above, the arithmetic below."""

from . import style
from .canvas import Canvas
from .picture import Picture
from .units import size

# call, what it reads, what it writes; each array as (name, rows, columns) with columns 1 for a vector
STEPS = (
    ("max", [("x", "MN")], ("m", "M")),
    ("x − m", [("x", "MN"), ("m", "M")], ("z", "MN")),
    ("exp", [("z", "MN")], ("e", "MN")),
    ("sum", [("e", "MN")], ("s", "M")),
    ("e ÷ s", [("e", "MN"), ("s", "M")], ("y", "MN")),
)


def memory_flow(rows=None, cols=None) -> Picture:
    """The five calls of the naive softmax with what each reads and writes; with `rows` and `cols` the totals in bytes too."""
    arrays = list(dict.fromkeys(name for _, reads, write in STEPS for name, _ in (*reads, (write[0], 0))))
    height = {name: count for _, reads, write in STEPS for name, count in (*reads, write)}
    canvas = Canvas(330)
    left, right = 20, canvas.width - 20
    band, box_y = (58, 96), 216
    canvas.rect(left, band[0], right - left, band[1], "wash", round_=8)
    canvas.text(left + 14, 40, "显存 · GPU memory", style.BODY, "ink", bold=True)
    span = (right - left - 40) / len(arrays)
    place = {name: left + 20 + span * (i + 0.5) for i, name in enumerate(arrays)}
    bottom = {}
    for name, x in place.items():
        wide = 64 if height[name] == "MN" else 18
        top = band[0] + 18
        bottom[name] = top + 60
        colour = "c0" if name == "x" else "c2" if name == "y" else "void"
        canvas.rect(x - wide / 2, top, wide, 60, colour, "paper", round_=3)
        label = f"{name} [M, N]" if height[name] == "MN" else name
        canvas.text(
            x,
            top + 35,
            label if wide > 30 else name,
            style.BODY,
            "ink" if colour == "void" else "on",
            "middle",
            fit=wide - 6,
        )
    centre = {}
    for i, (call, *_) in enumerate(STEPS):
        centre[i] = x = place["x"] + (place["y"] - place["x"]) * (i + 0.5) / len(STEPS)
        canvas.rect(x - 46, box_y, 92, 34, "paper", "ink", line=1.5, round_=6)
        canvas.text(x, box_y + 22, call, style.BODY, "ink", "middle", bold=True)
    for i, (_, reads, write) in enumerate(STEPS):
        for k, (name, _) in enumerate(reads):
            aside = 16 if height[name] == "MN" else 5  # reads leave on the right, writes arrive on the left
            draw_wire(canvas, (place[name] + aside, bottom[name]), (centre[i] - 24 + 16 * k, box_y), "read")
        aside = 16 if write[1] == "MN" else 5
        draw_wire(canvas, (centre[i] + 26, box_y), (place[write[0]] - aside, bottom[write[0]]), "write")
        read = " + ".join(count for _, count in reads)
        canvas.text(centre[i], box_y + 52, f"↓ {read}", style.SMALL, "ink", "middle")
        canvas.text(centre[i], box_y + 68, f"↑ {write[1]}", style.SMALL, "ink", "middle")
    canvas.legend(right - 150, 40, {"read": "读 · read", "write": "写 · write"})
    read, written = _totals()
    total = f"Σ   ↓ {read}   ↑ {written}"
    if rows and cols:
        counts = [4 * _count(terms, rows, cols) for terms in (read, written)]
        total += f"      M = {rows}, N = {cols}：  ↓ {size(counts[0])}   ↑ {size(counts[1])}"
    canvas.text(canvas.width / 2, 316, total, style.BODY, "ink", "middle", bold=True, fit=right - left)
    return Picture(
        canvas,
        f"朴素 softmax 的五次调用：读 {read} 个元素，写 {written} 个元素",
        f"The naive softmax's five calls: {read} elements read, {written} written",
    )


def draw_wire(canvas, start, end, colour, line=2.2):
    x1, y1 = end
    way = 1 if y1 > start[1] else -1
    canvas.curve(start, (x1, y1 - 7 * way), colour, line=line)
    canvas.lines([(x1, y1), (x1 - 4.5, y1 - 8 * way), (x1 + 4.5, y1 - 8 * way)], None, fill=colour)


def _totals():
    read = [count for _, reads, _ in STEPS for _, count in reads]
    written = [write[1] for _, _, write in STEPS]

    def terms(counts):
        found = [(counts.count(unit), unit) for unit in ("MN", "M") if unit in counts]
        return " + ".join(unit if n == 1 else f"{n}{unit}" for n, unit in found)

    return terms(read), terms(written)


def _count(terms, rows, cols):
    total = 0
    for term in terms.split(" + "):
        number = term.rstrip("MN") or "1"
        total += int(number) * rows * (cols if term.endswith("MN") else 1)
    return total
