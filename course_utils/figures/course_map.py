"""The notebooks as a path, each with the question that it answers."""

from . import style
from .canvas import Canvas
from .picture import Picture

NOTEBOOKS = (
    ("00", "从这里开始", "Start here", "我手里有什么？", "What do I have?"),
    ("01", "朴素 softmax", "Naive softmax", "为什么对，却慢？", "Why right, but slow?"),
    ("02", "显存流量", "Memory traffic", "要搬多少字节？", "How many bytes?"),
    ("03", "掩码行内核", "Masked row kernel", "一行，一趟", "A row in one pass"),
    ("04", "网格跨步内核", "Grid-stride kernel", "几个程序分很多行", "Few programs, many rows"),
    ("05", "占用率与启动", "Occupancy, launch", "启动多少个程序？", "How many programs?"),
    ("06", "基准测试", "Benchmark", "真的更快吗？", "Is it really faster?"),
)


def course_map(here: str | None = None) -> Picture:
    """The notebooks 00–06 in order; `here` ("03") marks one."""
    canvas = Canvas(style.WIDTH, 320)
    wide, high, gap = 166, 118, 20
    first = (canvas.width - 4 * wide - 3 * gap) / 2
    second = (canvas.width - 3 * wide - 2 * gap) / 2
    spots = [(first + i * (wide + gap), 24) for i in range(4)] + [(second + i * (wide + gap), 178) for i in range(3)]
    for i, ((x, y), (number, zh, en, ask_zh, ask_en)) in enumerate(zip(spots, NOTEBOOKS, strict=True)):
        marked = number == here
        canvas.rect(x, y, wide, high, "wash", "course" if marked else "edge", line=3 if marked else 1, round_=10)
        canvas.rect(x, y, 34, 24, "course" if marked else "mute", round_=8)
        canvas.text(x + 17, y + 17, number, style.BODY, "paper", "middle", bold=True)
        canvas.text(x + wide / 2, y + 48, zh, style.TITLE, "ink", "middle", bold=True, fit=wide - 16)
        canvas.text(x + wide / 2, y + 67, en, style.BODY, "ink", "middle", fit=wide - 16)
        canvas.text(x + wide / 2, y + 90, ask_zh, style.SMALL, "mute", "middle", fit=wide - 12)
        canvas.text(x + wide / 2, y + 106, ask_en, style.SMALL, "mute", "middle", fit=wide - 12)
        if i in (0, 1, 2, 4, 5):
            canvas.arrow((x + wide + 3, y + high / 2), (x + wide + gap - 3, y + high / 2), "mute")
    x, y = spots[3][0] + wide / 2, spots[3][1] + high
    turn = (178 + y) / 2
    canvas.lines([(x, y + 3), (x, turn), (spots[4][0] + wide / 2, turn)], "mute", line=1.8)
    canvas.arrow((spots[4][0] + wide / 2, turn), (spots[4][0] + wide / 2, 175), "mute")
    order_zh = "、".join(f"{n} {zh}" for n, zh, *_ in NOTEBOOKS)
    order_en = ", ".join(f"{n} {en}" for n, _, en, *_ in NOTEBOOKS)
    return Picture(canvas, f"课程路线：{order_zh}", f"The way through the course: {order_en}")
