"""Bars: bytes that were moved, memory at the peak, and how near kernels come to the best copy."""

from ..language import Text
from . import style
from .canvas import Canvas
from .picture import Picture
from .scoreboard import level
from .units import seconds, size

ROW = 48


def traffic_bars(entries) -> Picture:
    """One bar a way of computing: entries are (label, bytes read, bytes written); the last is the measure."""
    entries = [(Text.of(label), float(read), float(written)) for label, read, written in entries]
    top = 56
    canvas, left = Canvas(top + ROW * len(entries) + 14), _left()
    longest = max(read + written for _, read, written in entries) or 1
    least = entries[-1][1] + entries[-1][2] or 1
    canvas.legend(left, 36, {"read": "读 · read", "write": "写 · written"})
    for i, (label, read, written) in enumerate(entries):
        y = top + i * ROW
        _name(canvas, left, y + 21, label)
        scale = (canvas.width - left - 190) / longest
        end = left + (read + written) * scale
        canvas.rect(left, y, read * scale, 30, "read", tip=size(read))
        canvas.rect(left + read * scale, y, written * scale, 30, "write", tip=size(written))
        times = f"  =  {(read + written) / least:.3g}×" if i < len(entries) - 1 else ""
        canvas.text(end + 10, y + 21, size(read + written) + times, style.BODY, "ink", bold=True)
    zh = "；".join(f"{label.zh} {size(r + w)}" for label, r, w in entries)
    en = "; ".join(f"{label.en} {size(r + w)}" for label, r, w in entries)
    return Picture(canvas, f"搬动的字节：{zh}", f"Bytes moved: {en}")


def memory_bars(entries, title) -> Picture:
    """Entries are (label, bytes at the peak, seconds)."""
    entries = [(Text.of(label), float(peak), float(time)) for label, peak, time in entries]
    canvas, left = Canvas(56 + ROW * len(entries) + 14, title), _left()
    longest = max(peak for _, peak, _ in entries)
    for i, (label, peak, time) in enumerate(entries):
        y, wide = 56 + i * ROW, (canvas.width - left - 200) * peak / longest
        _name(canvas, left, y + 21, label)
        canvas.rect(left, y, wide, 30, style.provider(label.en), round_=2)
        canvas.text(left + wide + 10, y + 21, f"{size(peak)}   {seconds(time)}", style.BODY, "ink", bold=True)
    zh = "；".join(f"{label.zh} {size(peak)}，{seconds(time)}" for label, peak, time in entries)
    en = "; ".join(f"{label.en} {size(peak)}, {seconds(time)}" for label, peak, time in entries)
    return Picture(canvas, f"{title}。最多占用的显存和用时：{zh}", f"{title}. Memory at the peak, and time: {en}")


def shares(found) -> Picture:
    """`found` is what `measure(…, copy=True)` gives: bars in the scoreboard's colours, a line where the copy stands, and live times
    beside the recorded ones."""
    # On a phone a name stands above its bar.
    left, top, row, above = (24, 44, 58, 22) if style.narrow() else (190, 44, 34, 0)
    canvas = Canvas(top + row * len(found.us) + 12)
    room, told = canvas.width - left - (110 if above else 250), []
    right = left + room
    canvas.text(right, top - 10, f"{found.gpu}: 复制 = 1 · {found.gpu}: the copy = 1", style.SMALL, "mute", "middle")
    for i, (which, us) in enumerate(found.us.items()):
        y, share, took = top + above + i * row, found.share(which), seconds(us / 1e6)
        name = _in_words(found.varied, which if isinstance(which, tuple) else (which,))
        colour, mark = level(share)
        if above:
            canvas.text(left, y - 7, name, style.SMALL, fit=canvas.width - 2 * left)
        else:
            _name(canvas, left, y + 19, name)
        canvas.rect(left, y, room * share, 26, colour, opacity=0.55, round_=3)
        canvas.text(left + 10, y + 19, f"{mark} {share:.2f}", style.BODY, "ink", bold=True)
        live = f"   {seconds(found.live[which] / 1e6)} 这里 · here" if which in found.live else ""
        end = max(right, left + room * share) + 12
        canvas.text(end, y + 19, took + live, style.BODY, "ink", fit=canvas.width - end - 8 if above else None)
        told.append(f"{name} {share:.2f} ({took})")
    canvas.lines([(right, top - 4), (right, top + row * len(found.us) - 2)], "ink", line=2)
    zh, en = "最好的复制的用时 ÷ kernel 的用时", "Time of the best copy ÷ time of the kernel"
    return Picture(canvas, f"{zh}：{'; '.join(told)}", f"{en}: {'; '.join(told)}")


def _left() -> int:
    return 118 if style.narrow() else 176


def _name(canvas, left, base, label):
    canvas.text(left - 12, base, label, style.BODY, "ink", "end", fit=left - 24)


def _in_words(varied, values) -> str:
    """Words as they are, nothing as a dash, and numbers with what they count."""
    each = (f"{key}={value}" if isinstance(value, int) else value or "–" for key, value in zip(varied, values))
    return " ".join(each)
