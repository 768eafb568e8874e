"""How near kernels come to the best copy: a bar for each, in the scoreboard's colours, and a line where the copy stands."""

from . import style
from .canvas import Canvas
from .picture import Picture
from .scoreboard import level
from .units import seconds

LEFT, TOP, ROW, HIGH = 190, 44, 34, 26


def shares(found, *, title="") -> Picture:
    """`found` is what `measure(…, copy=True)` gives; live times are told beside the recorded ones."""
    canvas = Canvas(TOP + ROW * len(found.us) + 12, title)
    room, told = canvas.width - LEFT - 250, []
    right = LEFT + room
    canvas.text(right, TOP - 10, f"{found.gpu}: 复制 = 1 · {found.gpu}: the copy = 1", style.SMALL, "mute", "middle")
    for i, (size, us) in enumerate(found.us.items()):
        y, share = TOP + i * ROW, found.share(size)
        name = _name(found.varied, size if isinstance(size, tuple) else (size,))
        colour, mark = level(share)
        canvas.text(LEFT - 12, y + 19, name, style.BODY, "ink", "end", fit=LEFT - 24)
        canvas.rect(LEFT, y, room * share, HIGH, colour, opacity=0.55, round_=3)
        canvas.text(LEFT + 10, y + 19, f"{mark} {share:.2f}", style.BODY, "ink", bold=True)
        live = f"   {seconds(found.live[size] / 1e6)} 这里 · here" if size in found.live else ""
        canvas.text(max(right, LEFT + room * share) + 12, y + 19, seconds(us / 1e6) + live, style.BODY, "ink")
        told.append(f"{name} {share:.2f} ({seconds(us / 1e6)})")
    canvas.lines([(right, TOP - 4), (right, TOP + ROW * len(found.us) - 2)], "ink", line=2)
    listed = "; ".join(told)
    return Picture(
        canvas, f"最好的复制的用时 ÷ kernel 的用时：{listed}", f"Time of the best copy ÷ time of the kernel: {listed}"
    )


def _name(varied, values) -> str:
    """Words as they are, nothing as a dash, and numbers with what they count."""
    each = (f"{key}={value}" if isinstance(value, int) else value or "–" for key, value in zip(varied, values))
    return " ".join(each)
