"""Who does what on a GPU: what a thread holds, and what fits on a multiprocessor."""

import math

from ..language import Text
from . import style
from .canvas import Canvas
from .picture import Picture

LEFT = 24  # the margin


def lanes_and_elements(block=1024, warps=(1, 2, 4, 8)) -> Picture:
    """The same block with so many warps, side by side: lanes across, what each holds downwards."""
    lanes, gap, top, deepest, least = (32, 10, 96, 224, 62) if style.narrow() else (32, 26, 96, 224, 0)
    deep = {count: block // (lanes * count) for count in warps}
    few = [count for count in warps if least and count < 4]  # narrower than the words above them
    room = style.WIDTH - 2 * LEFT - gap * (len(warps) - 1) - least * len(few)
    lane = room / (lanes * (sum(warps) - sum(few)))
    high, wide = deepest / max(deep.values()), lanes * lane
    zh, en = (
        f"一块 {block} 个元素，分给 {lanes} 个 lane 一组的 warp",
        f"A block of {block} elements, shared out to warps of",
    )
    canvas = Canvas(top + deepest + 62, Text(zh, f"{en} {lanes} lanes"))
    x = LEFT
    for count, held in deep.items():
        name = Text(f"{count} 个 warp", f"{count} warp{'s' * (count > 1)}")
        canvas.text(x, top - 30, name, style.SMALL, "ink", bold=True)
        canvas.text(x, top - 10, f"{lanes * count} × {held}", style.SMALL, "mute")
        for warp in range(count):
            left = x + warp * wide
            canvas.rect(left, top, wide - 1, held * high, style.counted(warp), opacity=0.75)
            canvas.rects([(left, top + k * high - 0.4, wide - 1, 0.8) for k in range(1, held)], "paper")
        canvas.rect(x, top, lane, held * high, "ink", opacity=0.8)
        x += (least if count in few else count * wide) + gap
    strip = "一个线程，它拿着这一条 · one thread: it holds this strip"
    canvas.legend(LEFT, top + deepest + 40, {"ink": strip, "c0": "warp 0", "c1": "warp 1 …"})
    each = ", ".join(f"{count}: {lanes * count} × {held}" for count, held in deep.items())
    return Picture(
        canvas,
        f"{block} 个元素。warp 数：线程数 × 每个线程的元素数：{each}。",
        f"{block} elements. Warps: threads × elements a thread: {each}.",
    )


NAMES = {
    "warps": Text("warp 数", "warps"),
    "registers": Text("寄存器", "registers"),
    "shared": Text("共享内存", "shared memory"),
    "programs": Text("program 数", "programs"),
}


def multiprocessor(programs, limits, *, num_warps, warp_slots, shares, title="") -> Picture:
    """`programs` fit. `limits` says how many each of them alone would allow (None: no limit), by the names in NAMES;
    `shares` is the part of the registers and of the shared memory that one program takes.
    """
    canvas = Canvas(340 + 284 * style.narrow(), title)
    bites = [name for name in NAMES if limits.get(name) is not None and limits[name] == programs]
    _limits(canvas, limits, bites)
    _inside(canvas, programs, num_warps, warp_slots, shares)
    zh = "、".join(NAMES[name].zh for name in bites)
    en = ", ".join(NAMES[name].en for name in bites)
    used = min(1.0, programs * num_warps / warp_slots)
    return Picture(
        canvas,
        f"{title}：每个 SM 驻留 {programs} 个 program，占用率 {used:.0%}，受限于：{zh}。",
        f"{title}: {programs} {'program' if programs == 1 else 'programs'} resident on an SM, occupancy {used:.0%}, limited by {en}.",
    )


def _limits(canvas, limits, bites):
    left, top, row, room = 132, 88, 54, 136
    canvas.text(24, 66, "各自容得下几个 program · programs that each would allow", style.SMALL, "mute", fit=320)
    finite = [value for value in limits.values() if value is not None]
    most = max(value for value in finite if value <= 4 * max(min(finite), 1))  # far more is as good as no limit
    for k, (name, label) in enumerate(NAMES.items()):
        y, value = top + k * row, limits.get(name)
        canvas.text(left - 10, y + 22, label, style.BODY, "ink", "end", bold=name in bites, fit=left - 24)
        if value is None:
            canvas.rect(left, y + 4, room, 24, None, "void", dash="4 3", round_=2)
            canvas.text(left + room + 8, y + 22, "∞", style.BODY, "mute")
            continue
        wide = max(room * min(value / most, 1), 2)
        canvas.rect(left, y + 4, wide, 24, "c1" if name in bites else "void", round_=2)
        if value > most:  # a cut says that the bar is longer than there is room for
            canvas.lines([(left + room - 26, y + 32), (left + room - 14, y)], "paper", line=5)
        canvas.text(left + wide + 8, y + 22, value, style.BODY, "ink", bold=name in bites)


def _inside(canvas, programs, num_warps, warp_slots, shares):
    left, top = (38, 330) if style.narrow() else (370, 54)
    wide, across = canvas.width - left - 38, 16
    canvas.rect(left - 14, top, wide + 28, 270, "wash", "edge", round_=8)
    canvas.text(left, top + 24, Text(f"最多 {warp_slots} 个 warp", f"at most {warp_slots} warps"), style.SMALL, "ink")
    cell = wide / across
    high = min(cell, 96 / math.ceil(warp_slots / across))
    for slot in range(warp_slots):
        program, down = slot // num_warps, slot // across
        colours = (style.counted(program),) if program < programs else ("paper", "void")
        canvas.rect(left + slot % across * cell, top + 34 + down * high, cell - 2, high - 2, *colours, round_=2)
    for k, name in enumerate(("registers", "shared")):
        y, share = top + 160 + k * 54, shares[name]
        canvas.text(left, y, NAMES[name], style.SMALL, "ink")
        canvas.text(left + wide, y, f"{min(1.0, programs * share):.0%}", style.SMALL, "ink", "end")
        canvas.rect(left, y + 8, wide, 22, "paper", "void", round_=2)
        for program in range(programs):
            canvas.rect(left + program * wide * share, y + 8, max(wide * share - 1, 0.5), 22, style.counted(program))
