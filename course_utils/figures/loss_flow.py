"""What cross-entropy, forwards and backwards, reads and writes: as PyTorch's calls, as two kernels, and as one."""

from ..language import Text
from . import style
from .canvas import Canvas
from .flow import draw_wire
from .picture import Picture

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
