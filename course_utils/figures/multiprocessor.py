"""One SM with as many programs in it as fit: which of its four limits is reached first."""

import math

from ..language import Text
from . import style
from .canvas import Canvas
from .picture import Picture

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
    canvas = Canvas(340, title)
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
    most = max(
        [value for value in finite if value <= 4 * max(min(finite), 1)], default=1
    )  # far more is as good as no limit
    for k, (name, label) in enumerate(NAMES.items()):
        y, value = top + k * row, limits.get(name)
        canvas.text(left - 10, y + 22, label, style.BODY, "ink", "end", bold=name in bites, fit=left - 24)
        if value is None:
            canvas.rect(left, y + 4, room, 24, None, "void", dash="4 3", round_=2)
            canvas.text(left + room + 8, y + 22, "∞", style.BODY, "mute")
        else:
            wide = max(room * min(value / most, 1), 2)
            canvas.rect(left, y + 4, wide, 24, "c1" if name in bites else "void", round_=2)
            if value > most:  # a cut says that the bar is longer than there is room for
                canvas.lines([(left + room - 26, y + 32), (left + room - 14, y)], "paper", line=5)
            canvas.text(left + wide + 8, y + 22, value, style.BODY, "ink", bold=name in bites)


def _inside(canvas, programs, num_warps, warp_slots, shares):
    left, top, wide = 356, 54, canvas.width - 356 - 24
    canvas.rect(left, top, wide, 270, "wash", "edge", round_=8)
    canvas.text(
        left + 14, top + 24, Text(f"最多 {warp_slots} 个 warp", f"at most {warp_slots} warps"), style.SMALL, "ink"
    )
    across = 16
    cell = (wide - 28) / across
    high = min(cell, 96 / math.ceil(warp_slots / across))
    for slot in range(warp_slots):
        x, y = left + 14 + slot % across * cell, top + 34 + slot // across * high
        program = slot // num_warps
        if program < programs:
            canvas.rect(x, y, cell - 2, high - 2, style.counted(program), round_=2)
        else:
            canvas.rect(x, y, cell - 2, high - 2, "paper", "void", round_=2)
    for k, name in enumerate(("registers", "shared")):
        y, share = top + 160 + k * 54, shares.get(name, 0)
        canvas.text(left + 14, y, NAMES[name], style.SMALL, "ink")
        used = min(1.0, programs * share)
        canvas.text(left + wide - 14, y, f"{used:.0%}", style.SMALL, "ink", "end")
        canvas.rect(left + 14, y + 8, wide - 28, 22, "paper", "void", round_=2)
        for program in range(programs if share else 0):
            part = (wide - 28) * share
            canvas.rect(left + 14 + program * part, y + 8, max(part - 1, 0.5), 22, style.counted(program))
