"""What calls read and write, drawn between two lanes: the memory above, the arithmetic below."""

from ..language import Text
from . import style
from .canvas import Canvas
from .picture import Picture
from .units import size

# of each array how many elements it has; of each call what it reads, and what it writes
SOFTMAX = {"x": "MN", "m": "M", "z": "MN", "e": "MN", "s": "M", "y": "MN"}
STEPS = (("max", "x", "m"), ("x − m", "xm", "z"), ("exp", "z", "e"), ("sum", "e", "s"), ("e ÷ s", "es", "y"))


def memory_flow(rows, cols) -> Picture:
    """The five calls of the naive softmax with what each reads and writes, and the totals, in bytes too."""
    canvas = Canvas(330)
    left, right, top, bottom, box_y = 20, canvas.width - 20, 76, 136, 216
    canvas.rect(left, 58, right - left, 96, "wash", round_=8)
    canvas.text(left + 14, 40, "显存 · GPU memory", style.BODY, "ink", bold=True)
    span = (right - left - 40) / len(SOFTMAX)
    place = {name: left + 20 + span * (i + 0.5) for i, name in enumerate(SOFTMAX)}
    for name, x in place.items():
        wide, label = (64, f"{name} [M, N]") if SOFTMAX[name] == "MN" else (18, name)
        colour, ink = {"x": ("c0", "on"), "y": ("c2", "on")}.get(name, ("void", "ink"))
        canvas.rect(x - wide / 2, top, wide, 60, colour, "paper", round_=3)
        canvas.text(x, top + 35, label, style.BODY, ink, "middle", fit=wide - 6)
    centre = [place["x"] + (place["y"] - place["x"]) * (i + 0.5) / len(STEPS) for i in range(len(STEPS))]
    for x, (call, *_) in zip(centre, STEPS):
        canvas.rect(x - 46, box_y, 92, 34, "paper", "ink", line=1.5, round_=6)
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
    total = f"Σ   ↓ {read[0]}   ↑ {written[0]}      M = {rows}, N = {cols}：  ↓ {read[1]}   ↑ {written[1]}"
    canvas.text(canvas.width / 2, 316, total, style.BODY, "ink", "middle", bold=True, fit=right - left)
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


def draw_wire(canvas, start, end, colour, line=2.2):
    x1, y1 = end
    way = 1 if y1 > start[1] else -1
    canvas.curve(start, (x1, y1 - 7 * way), colour, line=line)
    canvas.lines([(x1, y1), (x1 - 4.5, y1 - 8 * way), (x1 + 4.5, y1 - 8 * way)], None, fill=colour)


# array: elements; a call, what it reads, what it writes
ARRAYS = {"x": "MN", "log p": "MN", "lse": "M", "loss": "M", "d log p": "MN", "dx": "MN"}
WAYS = (
    (
        Text("调用", "calls"),
        (
            ("log_softmax", ["x"], ["log p"]),
            ("nll_loss", ["log p"], ["loss"]),
            ("d nll_loss", [], ["d log p"]),
            ("d log_softmax", ["log p", "d log p"], ["dx"]),
        ),
    ),
    (Text("两个 kernel", "two kernels"), (("loss", ["x"], ["lse", "loss"]), ("gradient", ["x", "lse"], ["dx"]))),
    (Text("一个 kernel", "one kernel"), (("fused", ["x"], ["loss", "dx"]),)),
)
FEW = {("nll_loss", "log p")}  # one element of a row is read, not all of them
LEFT, RIGHT, TOP, HIGH, BOX, CALL = 122, 84, 44, 128, 30, 26


def loss_flow() -> Picture:
    """Three ways to get the loss and its gradient, one below the other: arrays in memory, calls below them, and every arrow counted."""
    canvas = Canvas(TOP + HIGH * len(WAYS) + 6)
    span = (canvas.width - LEFT - RIGHT) / len(ARRAYS)
    place = {name: LEFT + span * (k + 0.5) for k, name in enumerate(ARRAYS)}
    canvas.text(20, 28, "粗线 MN，细线 M · thick: MN, thin: M", style.SMALL, "mute")
    canvas.legend(canvas.width - 170, 28, {"read": "读 · read", "write": "写 · write"})
    totals = []
    for k, (way, calls) in enumerate(WAYS):
        top = TOP + HIGH * k
        canvas.rect(14, top, canvas.width - 28, BOX + 16, "wash", round_=8)
        canvas.text(66, top + 29, way, style.BODY, "ink", "middle", fit=96)
        _way(canvas, place, calls, top + 8)
        totals.append(sum(matrices(calls)))
        canvas.text(canvas.width - 24, top + 29, f"{totals[-1]}MN", style.TITLE, "ink", "end", bold=True)
    return Picture(
        canvas,
        "交叉熵的前向加反向，读写的矩阵：" + "，".join(f"{way.zh} {n}MN" for (way, _), n in zip(WAYS, totals)),
        "Cross-entropy forwards and backwards, matrices read and written: "
        + ", ".join(f"{way.en} {n}MN" for (way, _), n in zip(WAYS, totals)),
    )


def matrices(calls) -> tuple[int, int]:
    """How many times these calls read a whole matrix, and how many times they write one."""
    read = [name for call, reads, _ in calls for name in reads if ARRAYS[name] == "MN" and (call, name) not in FEW]
    return len(read), sum(ARRAYS[name] == "MN" for *_, writes in calls for name in writes)


def _way(canvas, place, calls, top):
    present = dict.fromkeys(name for _, reads, writes in calls for name in (*reads, *writes))
    bottom, box_y = top + BOX, top + BOX + 44
    for name in present:
        wide = 76 if ARRAYS[name] == "MN" else 34
        colour = "c0" if name == "x" else "c2" if name == "dx" else "void"
        canvas.rect(place[name] - wide / 2, top, wide, BOX, colour, "paper", round_=3)
        ink = "ink" if colour == "void" else "on"
        canvas.text(place[name], top + 20, name, style.BODY, ink, "middle", fit=wide - 6)
    first, last = place["x"] + 30, place["dx"] - 30
    for k, (call, reads, writes) in enumerate(calls):
        x = first + (last - first) * (k + 0.5) / len(calls)
        canvas.rect(x - 48, box_y, 96, CALL, "paper", "ink", line=1.5, round_=6)
        canvas.text(x, box_y + 18, call, style.BODY, "ink", "middle", fit=88)
        for j, name in enumerate(reads):
            aside = 14 if ARRAYS[name] == "MN" else 6
            heavy = ARRAYS[name] == "MN" and (call, name) not in FEW
            draw_wire(canvas, (place[name] + aside, bottom), (x - 34 + 16 * j, box_y), "read", line=3 if heavy else 1)
        for j, name in enumerate(writes):
            aside = 14 if ARRAYS[name] == "MN" else 6
            heavy = ARRAYS[name] == "MN"
            draw_wire(canvas, (x + 34 - 16 * j, box_y), (place[name] - aside, bottom), "write", line=3 if heavy else 1)
