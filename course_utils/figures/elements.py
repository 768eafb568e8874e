"""A block shared out to the lanes of a program's warps: more warps make it wider, and a thread holds less."""

from ..language import Text
from . import style
from .canvas import Canvas
from .picture import Picture

LANES, GAP, TOP, LEFT = 32, 26, 96, 24


def lanes_and_elements(block=1024, warps=(1, 2, 4, 8)) -> Picture:
    """The same block with so many warps, side by side: lanes across, what each holds downwards."""
    title = Text(
        f"一块 {block} 个元素，分给 32 个 lane 一组的 warp",
        f"A block of {block} elements, shared out to warps of 32 lanes",
    )
    deep = {count: block // (LANES * count) for count in warps}
    lane = (style.WIDTH - 2 * LEFT - GAP * (len(warps) - 1)) / (LANES * sum(warps))
    high = 224 / max(deep.values())
    canvas = Canvas(TOP + 224 + 62, title)
    x = LEFT
    for count, held in deep.items():
        wide = LANES * lane * count
        canvas.text(
            x, TOP - 30, Text(f"{count} 个 warp", f"{count} warp{'s' * (count > 1)}"), style.SMALL, "ink", bold=True
        )
        canvas.text(x, TOP - 10, f"{LANES * count} × {held}", style.SMALL, "mute")
        for warp in range(count):
            left = x + warp * LANES * lane
            canvas.rect(left, TOP, LANES * lane - 1, held * high, style.counted(warp), opacity=0.75)
            canvas.rects([(left, TOP + k * high - 0.4, LANES * lane - 1, 0.8) for k in range(1, held)], "paper")
        canvas.rect(x, TOP, lane, held * high, "ink", opacity=0.8)
        x += wide + GAP
    canvas.legend(
        LEFT,
        TOP + 224 + 40,
        {"ink": "一个线程，它拿着这一条 · one thread: it holds this strip", "c0": "warp 0", "c1": "warp 1 …"},
    )
    each = ", ".join(f"{count}: {LANES * count} × {held}" for count, held in deep.items())
    return Picture(
        canvas,
        f"{block} 个元素。warp 数：线程数 × 每个线程的元素数：{each}。",
        f"{block} elements. Warps: threads × elements a thread: {each}.",
    )
