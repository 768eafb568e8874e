"""Who does what on a GPU, from the grid of a launch down to one lane of a warp."""

from ..hardware import chip_of, find
from ..language import Text
from . import style
from .canvas import Canvas
from .picture import Picture

ACROSS, STEP, ROW = 8, 44, 26  # programs drawn in a row, how far apart, and how high
LEFT, CHOSEN = 24, 1  # the margin; the program that is followed


def grid_to_lane(programs=300, num_warps=4, device="H200") -> Picture:
    """A launch of so many programs and the SMs they go to; one of them, its warps, and the lanes of one warp."""
    gpu, lanes = find(device), chip_of(device).target[2]
    canvas = Canvas(424)
    _grid(canvas, 34, programs)
    _multiprocessors(canvas, 438, 34, gpu, programs)
    _program(canvas, 176, num_warps)
    _warp(canvas, 306, lanes)
    _down(canvas, 134, 172, f"program {CHOSEN}")
    _down(canvas, 250, 300, Text(f"它的 {num_warps} 个 warp 之一", f"one of its {num_warps} warps"))
    canvas.arrow((LEFT + ACROSS * STEP + 6, 80), (432, 80), "mute")
    canvas.text(LEFT + ACROSS * STEP + 36, 66, "派去 · placed", style.SMALL, "mute", "middle", fit=56)
    return Picture(
        canvas,
        f"一次启动的 grid 有 {programs} 个 program，每个派到 {gpu.name} 的 {gpu.multiprocessors} 个 SM 之一；一个 program 有 {num_warps} 个 warp，"
        f"一个 warp 有 {lanes} 个 lane。",
        f"The grid of one launch has {programs} programs, each placed on one of the {gpu.multiprocessors} SMs of an {gpu.name}; a program has "
        f"{num_warps} warps, and a warp {lanes} lanes.",
    )


def _down(canvas, top, bottom, label):
    canvas.arrow((LEFT + 34, top), (LEFT + 34, bottom), "mute")
    canvas.text(LEFT + 48, (top + bottom) / 2 + 5, label, style.SMALL, "mute")


def _grid(canvas, y, programs):
    title = Text(f"grid：一次启动的 {programs} 个 program", f"grid: the {programs} programs of one launch")
    canvas.text(LEFT, y, title, style.BODY, bold=True, fit=380)
    for place in range(2 * ACROSS):
        number = programs - 1 if place == 2 * ACROSS - 1 else place
        x, top = LEFT + place % ACROSS * STEP, y + 14 + place // ACROSS * (ROW + 8)
        if place == 2 * ACROSS - 2:
            canvas.text(x + STEP / 2 - 2, top + 18, "…", style.BODY, "mute", "middle")
            continue
        canvas.rect(x, top, STEP - 4, ROW, style.counted(number), "ink" if number == CHOSEN else None, line=2, round_=4)
        canvas.text(x + STEP / 2 - 2, top + 18, number, style.SMALL, "on", "middle")


def _multiprocessors(canvas, x, y, gpu, programs):
    across, cell = 12, 24.5
    canvas.text(
        x, y, Text(f"{gpu.name}：{gpu.multiprocessors} 个 SM", f"{gpu.multiprocessors} SMs"), style.BODY, bold=True
    )
    places = [(x + k % across * cell, y + 14 + k // across * 19) for k in range(gpu.multiprocessors)]
    canvas.rects([(left, top, cell - 3, 16) for left, top in places], "void")
    bars = {}
    for program in range(programs):
        left, top = places[program % len(places)]
        bar = (left + 3, top + 2.5 + 4 * (program // len(places)), cell - 9, 3)
        bars.setdefault(style.counted(program), []).append(bar)
    for colour, boxes in bars.items():
        canvas.rects(boxes, colour)
    low = y + 14 + -(-gpu.multiprocessors // across) * 19 + 14
    canvas.text(x, low + 6, "一个 SM 容得下好几个 program · an SM has room for several programs", style.SMALL, "mute")


def _program(canvas, y, num_warps):
    canvas.rect(LEFT, y, 390, 70, style.counted(CHOSEN), round_=6, opacity=0.35)
    label = Text(f"program {CHOSEN}：从头到尾都在同一个 SM 上", f"program {CHOSEN}: it stays on one SM")
    canvas.text(LEFT + 12, y + 20, label, style.BODY, "ink", fit=366)
    wide = 366 / num_warps
    for warp in range(num_warps):
        x = LEFT + 12 + warp * wide
        canvas.rect(x, y + 32, wide - 6, 28, style.counted(CHOSEN), round_=4)
        canvas.text(x + wide / 2 - 3, y + 51, f"warp {warp}", style.SMALL, "on", "middle", fit=wide - 10)


def _warp(canvas, y, lanes):
    cell = (canvas.width - 2 * LEFT) / lanes
    label = Text(f"warp 0：{lanes} 个 lane，步调一致", f"warp 0: {lanes} lanes execute the same instruction together")
    canvas.text(LEFT, y + 18, label, style.BODY, "ink")
    for lane in range(lanes):
        canvas.rect(LEFT + lane * cell, y + 30, cell - 2, 34, style.counted(CHOSEN), round_=3)
        canvas.text(LEFT + lane * cell + cell / 2 - 1, y + 51, lane, style.SMALL, "on", "middle", fit=cell - 5)
    label = Text(
        "一个 lane 是一个线程，有自己的寄存器，块里的几个元素就放在里面",
        "A lane is a thread; its registers hold some elements of a block",
    )
    canvas.text(LEFT, y + 88, label, style.SMALL, "mute", fit=canvas.width - 2 * LEFT)
