"""The steps from the row kernel to `softmax`: what one of them changes at every width, and all of them at one width."""

from . import style
from .canvas import Canvas
from .picture import Picture

_ROW = 19
_MOST = 0.3  # a change beyond that is written, and its bar cut off


def step_changes(panels, *, title="") -> Picture:
    """Panels are {number format: [(columns, µs before, µs after), …]}; None instead of the time after: the step changes nothing."""
    most = max(map(len, panels.values()))
    canvas = Canvas(style.WIDTH, 108 + _ROW * most)
    canvas.text(24, 30, title, style.BODY, "ink", bold=True, fit=canvas.width - 48)
    wide = (canvas.width - 40) / len(panels)
    changed = [abs(after / before - 1) for lines in panels.values() for _, before, after in lines if after]
    scale = min(_MOST, max([0.04, *changed]))
    told = []
    for k, (dtype, lines) in enumerate(panels.items()):
        left = 24 + k * wide
        middle, reach = left + 0.4 * wide, 0.2 * wide
        canvas.text(left, 58, dtype, style.BODY, "ink", bold=True)
        canvas.lines([(middle, 66), (middle, 70 + _ROW * len(lines))], "edge", line=1.2)
        for i, (columns, before, after) in enumerate(lines):
            y = 70 + _ROW * i
            canvas.text(left + 46, y + 13, columns, style.SMALL, "ink", "end")
            if not after:
                canvas.text(middle, y + 13, "=", style.SMALL, "mute", "middle")
                continue
            change = after / before - 1
            length = reach * max(-1.0, min(1.0, change / scale))
            colour = "course" if change < 0 else "naive"
            tip = f"{columns}: {before:.2f} → {after:.2f} µs"
            canvas.rect(middle + min(length, 0), y + 3, abs(length), _ROW - 6, colour, round_=2, tip=tip)
            canvas.text(left + 0.78 * wide, y + 13, _percent(change), style.SMALL, "ink", "end")
            told.append(f"{dtype} {columns} {_percent(change)}")
    canvas.text(
        24,
        canvas.height - 12,
        "列数 N，用时的变化；← 更快，更慢 → · columns N, change of the time; ← faster, slower →",
        style.SMALL,
        "mute",
    )
    listed = ", ".join(told)
    return Picture(canvas, f"{title}。用时的变化：{listed}", f"{title}. Change of the time: {listed}")


def all_steps(entries, copy_us: float, *, title="") -> Picture:
    """Entries are (step, µs, GB/s, registers, spills, programs at once, barriers); or (step, None, another step that it equals)."""
    row, top, left = 27, 84, 96
    canvas = Canvas(style.WIDTH, top + row * len(entries) + 44)
    canvas.text(24, 30, title, style.BODY, "ink", bold=True, fit=canvas.width - 48)
    places = [(508, "GB/s", ""), (560, "寄存器", "registers"), (622, "溢出", "spills"), (676, "每个 SM", "per SM"), (730, "屏障", "barriers")]  # fmt: skip
    for x, zh, en in places:
        canvas.text(x, 56, zh, style.SMALL, "mute", "middle")
        canvas.text(x, 71, en, style.SMALL, "mute", "middle")
    longest = max([copy_us, *(us for _, us, *_ in entries if us)])
    room = 300
    told = []
    for i, (step, us, *numbers) in enumerate(entries):
        y = top + row * i
        canvas.text(left - 10, y + 17, step, style.BODY, "ink", "end", fit=left - 18)
        if us is None:
            canvas.text(left + 6, y + 17, f"= {numbers[0]}", style.BODY, "mute")
            continue
        canvas.rect(left, y + 3, room * us / longest, row - 7, "course" if i else "torch", round_=2, tip=f"{us:.2f} µs")
        canvas.text(left + room + 70, y + 17, f"{us:.2f} µs", style.SMALL, "ink", "end")
        for (x, *_), number in zip(places, numbers, strict=True):
            canvas.text(x, y + 17, f"{number:.0f}", style.SMALL, "alarm" if x == 622 and number else "ink", "middle")
        told.append(f"{step} {us:.2f} µs")
    x, bottom = left + room * copy_us / longest, top + row * len(entries)
    canvas.lines([(x, top - 4), (x, bottom + 4)], "copy", line=1.6, dash="6 4")
    canvas.text(x, bottom + 20, f"copy {copy_us:.2f} µs", style.SMALL, "copy", "middle")
    listed = ", ".join(told)
    return Picture(
        canvas,
        f"{title}。复制 {copy_us:.2f} µs；各步：{listed}",
        f"{title}. A copy takes {copy_us:.2f} µs; the steps: {listed}",
    )


def _percent(change: float) -> str:
    return f"{change:+.1%}".replace("-", "−")
