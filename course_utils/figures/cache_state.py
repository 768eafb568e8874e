"""What a write-back cache holds before a kernel and after it, and what the memory moved meanwhile: bars on one scale."""

from ..language import LANGUAGES, Text
from . import glyphs, style
from .canvas import Canvas
from .picture import Picture
from .units import size

HIGH = 32


def cache_state(before, after, moved, *, title="") -> Picture:
    """`before` and `after` list (buffer, bytes, dirty bytes), what goes first first; the kernel reads x0 and writes y0.
    `moved` is {who says so: (bytes read from memory, bytes written to it)}."""
    left, top, row, below = (24, 124, 66, 24) if style.narrow() else (148, 76, 50, 0)
    canvas = Canvas(top + row * (2 + len(moved)) + 12, title)
    most = max(sum(held for _, held, _ in before), *(sum(both) for both in moved.values()))
    scale = (canvas.width - left - (24 if below else 190)) / most
    x = canvas.legend(24, 58, {"void": "脏，还没写回 · dirty, not yet written back"})
    canvas.hatch(24, 47, 12, 12, "ink", gap=4)
    canvas.legend(
        24 if below else x, 58 + below, {"read": "从显存读 · read from memory", "write": "写进显存 · written to memory"}
    )
    colours = {"x0": "c2", "y0": "c3"}  # not those of the traffic below
    for k, (label, buffers) in enumerate((("L2，之前 · L2 before", before), ("L2，之后 · L2 after", after))):
        y, x = top + row * k, left
        _name(canvas, left, y, label)
        for name, held, dirty in buffers:
            wide = held * scale
            canvas.rect(x, y, wide, HIGH, colours.get(name, "void"), "paper", tip=f"{name}: {size(held)}")
            if dirty:  # of a buffer, what was written back already goes first
                canvas.hatch(x + wide - dirty * scale, y, dirty * scale, HIGH, "ink")
            if wide > 40:  # the label stands on plain ground, also where the bar is hatched
                room = min(glyphs.width(name, style.SMALL) + 12, wide - 8)
                canvas.rect(x + (wide - room) / 2, y + 6, room, 20, "paper", round_=4)
                canvas.text(x + wide / 2, y + 20, name, style.SMALL, "ink", "middle", fit=room - 8)
            x += wide
    for k, (who, (read, written)) in enumerate(moved.items()):
        y = top + row * (2 + k)
        _name(canvas, left, y, who)
        canvas.rect(left, y, read * scale, HIGH, "read")
        canvas.rect(left + read * scale, y, written * scale, HIGH, "write")
        end, read, written = left + (read + written) * scale + 10, f"{read / 1e6:.1f}", f"{written / 1e6:.1f}"
        told = Text(f"读 {read}，写 {written} MB", f"read {read}, written {written} MB")
        if below:
            canvas.text(canvas.width - 24, y - 8, told, style.SMALL, "ink", "end")
        else:
            canvas.text(end, y + 21, told, style.SMALL)
    return Picture(canvas, *(_told(each, title, before, after, moved) for each in LANGUAGES))


def _name(canvas, left, y, name):
    """To the left of a bar; on a phone, above it."""
    if style.narrow():
        canvas.text(left, y - 8, name, style.SMALL)
    else:
        canvas.text(left - 12, y + 21, name, style.SMALL, "ink", "end", fit=left - 24)


def _told(language, title, before, after, moved):
    zh, en = ("脏", "之前", "之后", "读", "写"), ("dirty", "before", "after", "read", "written")
    words = zh if language == "zh" else en
    holds = [
        ", ".join(
            f"{name} {held / 1e6:.1f} MB" + (f" ({words[0]} {dirty / 1e6:.1f})" if dirty else "")
            for name, held, dirty in buffers
        )
        for buffers in (before, after)
    ]
    counted = "; ".join(
        f"{getattr(Text.of(who), language)}: {words[3]} {read / 1e6:.1f} MB, {words[4]} {written / 1e6:.1f} MB"
        for who, (read, written) in moved.items()
    )
    return f"{title}. L2 {words[1]}: {holds[0]}. L2 {words[2]}: {holds[1]}. {counted}"
