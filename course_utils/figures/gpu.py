"""Who does what on a GPU: what a thread holds."""

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
        f"同样 {block} 个元素，分给几个 warp，每个 {lanes} 个 lane",
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
