"""The steps from the row kernel to `softmax`: what one of them changes at every width, and all of them at one width."""

from ..language import Text
from . import style
from .canvas import Canvas
from .picture import Picture

_ROW = 19
LEFT, TOP, CELL, GAP = 150, 92, 26, 10
LEVEL, WORST = 97, 40  # per cent: from here on as fast as a copy; from here down a cell is as dark as it gets
_MOST = 0.3  # a change beyond that is written, and its bar cut off


def step_changes(panels, *, title="") -> Picture:
    """Panels are {number format: [(columns, µs before, µs after), …]}; None instead of the time after: the step changes nothing."""
    most = max(map(len, panels.values()))
    canvas = Canvas(108 + _ROW * most, title)
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
    canvas = Canvas(top + row * len(entries) + 44, title)
    places = (
        (486, "GB/s"),
        (554, "寄存器 · registers"),
        (618, "溢出 · spills"),
        (668, "每 SM · per SM"),
        (720, "屏障 · barriers"),
    )
    for x, label in places:
        canvas.text(x, 64, label, style.SMALL, "mute", "middle", fit=58)
    longest = max([copy_us, *(us for _, us, *_ in entries if us)])
    room = 270
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
            canvas.text(x, y + 17, f"{number:.0f}", style.SMALL, "alarm" if x == 618 and number else "ink", "middle")
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


def scores_of_steps(percent, steps, *, numbers=None, title="") -> Picture:
    """`percent` is {number format: {columns: {step: whole per cents of a copy}}}. The last of `steps` stands out; `numbers`
    stand before their names. What a step hardly changes is told in grey.
    """
    height = TOP + sum(CELL * len(rows) + GAP for rows in percent.values()) + 4
    canvas = Canvas(height, title)
    scale = Text(f"复制是 100%，不到 {LEVEL}% 是橙色", f"a copy is 100 %; orange is below {LEVEL} %")
    canvas.text(24, 54, scale, style.SMALL, "mute", fit=canvas.width - 48)
    wide = min(84, (style.WIDTH - LEFT - 24) / len(steps))
    for c, step in enumerate(steps):
        last = c == len(steps) - 1
        x = LEFT + (c + 0.5) * wide
        name = f"{numbers[step]} {step}" if numbers and step in numbers else step
        canvas.text(x, TOP - 10, name, style.BODY, "ink" if last else "mute", "middle", bold=last, fit=wide - 4)
    y, told = TOP, []
    for dtype, rows in percent.items():
        canvas.text(24, y + CELL * len(rows) / 2 + 5, dtype, style.BODY, "ink", bold=True)
        for columns, shares in rows.items():
            canvas.text(LEFT - 12, y + CELL / 2 + 5, columns, style.BODY, "ink", "end")
            for c, step in enumerate(steps):
                same = c > 0 and abs(shares[step] - shares[steps[c - 1]]) < 2
                _cell(canvas, LEFT + c * wide, y, wide, shares[step], same)
            told.append(f"{dtype} {columns}: " + " → ".join(f"{shares[step]}%" for step in steps))
            y += CELL
        y += GAP
    listed = "; ".join(told)
    names = " → ".join(steps)
    return Picture(
        canvas, f"{title}。{names}，复制的百分之几：{listed}", f"{title}. {names}, per cent of a copy: {listed}"
    )


def _cell(canvas, x, y, wide, share, same) -> None:
    short = max(0, min(1, (LEVEL - share) / (LEVEL - WORST)))
    colour, strength = ("naive", 0.2 + 0.6 * short) if share < LEVEL else ("course", 0.35 if share < 103 else 0.65)
    canvas.rect(x + 1, y + 1, wide - 2, CELL - 2, colour, opacity=strength / (2 if same else 1), round_=3)
    canvas.text(x + wide / 2, y + CELL / 2 + 5, f"{share}%", style.BODY, "mute" if same else "ink", "middle")
