"""What a write-back cache holds before a kernel and after it, and what the memory moved meanwhile: bars on one scale."""

from . import glyphs, style
from .canvas import Canvas
from .picture import Picture
from .units import size

LEFT, TOP, ROW, HIGH = 148, 76, 50, 32


def cache_state(before, after, moved, *, title="", own=("x0", "y0")) -> Picture:
    """`before` and `after` list (buffer, bytes, dirty), what goes first first; `own` are the kernel's input and output.
    `moved` is {who says so: (bytes read from memory, bytes written to it)}."""
    canvas = Canvas(style.WIDTH, TOP + ROW * (2 + len(moved)) + 12)
    most = max(sum(held for _, held, _ in before), *(sum(both) for both in moved.values()))
    scale = (canvas.width - LEFT - 190) / most
    canvas.text(24, 32, title, style.BODY, "ink", bold=True)
    canvas.rect(24, 46, 22, 14, "void", round_=2)
    canvas.hatch(24, 46, 22, 14, "ink")
    x = 76 + canvas.both(54, 58, "脏，还没写回", "dirty, not yet written back", style.SMALL, "mute")
    for colour, zh, en in (("read", "从显存读", "read from memory"), ("write", "写进显存", "written to memory")):
        canvas.rect(x, 46, 14, 14, colour, round_=2)
        x += 20 + canvas.both(x + 20, 58, zh, en, style.SMALL, "mute") + 22
    colours = dict(zip(own, ("c2", "c3"), strict=True))  # not those of the traffic below
    for k, (zh, en, buffers) in enumerate((("L2，之前", "L2 before", before), ("L2，之后", "L2 after", after))):
        y, x = TOP + ROW * k, LEFT
        canvas.stacked(LEFT - 12, y + 14, zh, en, style.SMALL, "ink", "end")
        for name, held, dirty in buffers:
            wide = held * scale
            canvas.rect(x, y, wide, HIGH, colours.get(name, "void"), "paper", tip=f"{name}: {size(held)}")
            if dirty:
                canvas.hatch(x, y, wide, HIGH, "ink")
            if wide > 40:  # the label stands on plain ground, also where the bar is hatched
                room = min(glyphs.width(name, style.SMALL) + 12, wide - 8)
                canvas.rect(x + (wide - room) / 2, y + 6, room, 20, "paper", round_=4)
                canvas.text(x + wide / 2, y + 20, name, style.SMALL, "ink", "middle", fit=room - 8)
            x += wide
    for k, (who, (read, written)) in enumerate(moved.items()):
        y = TOP + ROW * (2 + k)
        canvas.stacked(LEFT - 12, y + 14, *who.split(" · "), style.SMALL, "ink", "end", fit=LEFT - 24)
        canvas.rect(LEFT, y, read * scale, HIGH, "read")
        canvas.rect(LEFT + read * scale, y, written * scale, HIGH, "write")
        end, read, written = LEFT + (read + written) * scale + 10, f"{read / 1e6:.1f}", f"{written / 1e6:.1f}"
        canvas.stacked(
            end,
            y + 14,
            f"读 {read}，写 {written} MB",
            f"read {read}, written {written} MB",
            style.SMALL,
            "ink",
            "start",
        )
    return Picture(canvas, _told(0, title, before, after, moved), _told(1, title, before, after, moved))


def _told(language, title, before, after, moved):
    words = (("脏", "之前", "之后", "读", "写"), ("dirty", "before", "after", "read", "written"))[language]
    holds = [
        ", ".join(f"{name} {held / 1e6:.1f} MB" + (f" ({words[0]})" if dirty else "") for name, held, dirty in buffers)
        for buffers in (before, after)
    ]
    counted = "; ".join(
        f"{who.split(' · ')[language]}: {words[3]} {read / 1e6:.1f} MB, {words[4]} {written / 1e6:.1f} MB"
        for who, (read, written) in moved.items()
    )
    return f"{title}. L2 {words[1]}: {holds[0]}. L2 {words[2]}: {holds[1]}. {counted}"
