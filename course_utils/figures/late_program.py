"""One program more on a multiprocessor than fit: it waits until one of the others has done all its rows, and then runs alone."""

from . import style
from .canvas import Canvas
from .picture import Picture

LEFT, WIDE, LANE, HIGH = 110, 540, 15, 74


def late_program(fits: int, together: tuple[float, float], alone: tuple[float, float], *, title="") -> Picture:
    """`together` and `alone`: for how many milliseconds, and how many GB/s the whole GPU then moves."""
    end = together[0] + alone[0]
    at, bottom = LEFT + WIDE * together[0] / end, 54 + LANE * (fits + 1)
    canvas = Canvas(bottom + HIGH + 66, title)
    for k in range(fits + 1):
        y = 50 + k * LANE
        canvas.text(LEFT - 8, y + 11, f"program {k}", style.SMALL, "mute", "end")
        if k < fits:
            canvas.rect(LEFT, y, at - LEFT - 1, LANE - 2, style.counted(k), round_=2)
    last = 50 + fits * LANE
    canvas.hatch(LEFT, last, at - LEFT - 1, LANE - 2, "mute")
    canvas.rect(at, last, LEFT + WIDE - at, LANE - 2, "ink", round_=2)  # none of the others' colours
    floor = bottom + HIGH + 24
    canvas.text(LEFT - 8, floor - HIGH / 2, "GB/s", style.SMALL, "mute", "end")
    for x, wide, speed in ((LEFT, at - LEFT - 1, together[1]), (at, LEFT + WIDE - at, alone[1])):
        high = HIGH * speed / max(together[1], alone[1])
        canvas.rect(x, floor - high, wide, high, "read", opacity=0.6)
        canvas.text(x + wide / 2, floor - 7, f"{speed:.0f}", style.SMALL, "ink", "middle", fit=wide - 4)
    canvas.lines([(LEFT, floor), (LEFT + WIDE, floor)], "ink", line=1.2)
    canvas.lines([(at, 46), (at, floor)], "ink", line=1.2, dash="4 3")
    canvas.text(LEFT + WIDE, floor + 18, f"{end:.3f} ms", style.SMALL, "ink", "end")
    return Picture(
        canvas,
        f"{title}：{fits} 个 program 同时跑 {together[0]:.3f} ms，{together[1]:.0f} GB/s；第 {fits + 1} 个再独自跑 {alone[0]:.3f} ms，{alone[1]:.0f} GB/s。",
        f"{title}: {fits} programs together for {together[0]:.3f} ms at {together[1]:.0f} GB/s, "
        f"then one more alone for {alone[0]:.3f} ms at {alone[1]:.0f} GB/s.",
    )
