"""What a choice is worth, shape by shape: every number of elements a thread, and what a rule loses to the best that was tried."""

from ..language import Text
from . import style
from .canvas import Canvas
from .picture import Picture
from .scoreboard import LEVELS, level
from .units import power_of_two

DTYPES = ("float32", "bfloat16")


def elements_a_thread(shares, title="") -> Picture:
    """`shares` is {(number format, columns): {elements a thread: time of the best number of warps ÷ this one's}}."""
    held = sorted({each for found in shares.values() for each in found})
    widths = sorted({columns for _, columns in shares})
    left, top, high = 104, 126, 30
    wide, gap = (style.WIDTH - left - 24 - 20) / len(held) / 2, 20
    canvas = Canvas(top + high * len(widths) + 22, title)
    x = 24
    for (least, colour, mark), words in zip(
        LEVELS, ("{:.2f} 起 · from {:.2f}", "{:.2f} 起 · from {:.2f}", "更低 · below")
    ):
        x += canvas.text(x, 58, mark, style.BODY, colour) + 6
        x += canvas.text(x, 58, words.format(least, least), style.SMALL, "mute") + 20
    canvas.text(
        canvas.width - 24,
        58,
        "最快的 warp 数的用时 ÷ 这里的用时 · time of the best number of warps ÷ time",
        style.SMALL,
        "mute",
        "end",
        fit=canvas.width - x - 30,
    )
    for half, dtype in enumerate(DTYPES):
        start = left + half * (len(held) * wide + gap)
        canvas.text(start, top - 28, f"{dtype}", style.SMALL, "ink", bold=True)
        for k, each in enumerate(held):
            canvas.text(start + (k + 0.5) * wide, top - 8, each, style.SMALL, "mute", "middle")
        for row, columns in enumerate(widths):
            for k, each in enumerate(held):
                share, y = shares[dtype, columns].get(each), top + row * high
                if share is None:
                    canvas.rect(start + k * wide, y + 1, wide - 3, high - 3, "wash", round_=4)
                    continue
                colour, _ = level(share)
                canvas.rect(start + k * wide, y + 1, wide - 3, high - 3, colour, opacity=0.3, round_=4)
                canvas.text(
                    start + (k + 0.5) * wide - 1,
                    y + 20,
                    f"{share:.2f}",
                    style.SMALL,
                    "ink",
                    "middle",
                    bold=share > 0.9995,
                    fit=wide - 6,
                )
    for row, columns in enumerate(widths):
        canvas.text(left - 12, top + row * high + 20, columns, style.SMALL, "ink", "end")
    lines = [
        f"{dtype} {columns}: " + ", ".join(f"{each} → {share:.2f}" for each, share in sorted(found.items()))
        for (dtype, columns), found in sorted(shares.items(), key=lambda item: (DTYPES.index(item[0][0]), item[0][1]))
    ]
    return Picture(canvas, f"{title}。" + "；".join(lines) + "。", f"{title}. " + "; ".join(lines) + ".")


def regrets(found, title="", most=None) -> Picture:
    """`found` is {(rows, columns, number format): (time over the best that was tried, rows a program, warps)}."""
    shapes = list(dict.fromkeys((rows, columns) for rows, columns, _ in found))
    top, high, left, right = 96, 30, 150, 116
    worst = max(regret for regret, *_ in found.values())
    most = most or max(0.1, 1.05 * (worst - 1))
    wide = style.WIDTH - left - right
    canvas = Canvas(top + high * len(shapes) + 54, title)
    colours = {"float32": "c5", "bfloat16": "c1"}
    canvas.legend(left, 62, {colours[dtype]: dtype for dtype in DTYPES})
    for k in range(5):
        x = left + k * wide / 4
        canvas.lines([(x, top - 8), (x, top + high * len(shapes))], "grid", line=1)
        canvas.text(x, top + high * len(shapes) + 20, f"{100 * most * k / 4:.3g} %", style.SMALL, "mute", "middle")
    canvas.text(
        left + wide / 2,
        top + high * len(shapes) + 42,
        "比试过的最快的慢多少 · slower than the best that was tried",
        style.SMALL,
        "mute",
        "middle",
    )
    for row, (rows, columns) in enumerate(shapes):
        y = top + row * high + high / 2
        canvas.text(left - 14, y + 5, f"{power_of_two(rows)} × {columns}", style.SMALL, "ink", "end")
        canvas.lines([(left, y), (left + wide, y)], "grid", line=1)
        ways = []
        for dtype in DTYPES:
            regret, together, warps = found[rows, columns, dtype]
            ways.append(f"{together}×{warps}")
            canvas.circle(
                left + wide * min(1, (regret - 1) / most), y, 6, colours[dtype], "paper", tip=f"{dtype}: {regret:.3f}"
            )
        canvas.text(left + wide + 18, y + 5, ", ".join(dict.fromkeys(ways)), style.SMALL, "mute", fit=right - 30)
    canvas.text(left + wide + 18, 62, Text("行×warp", "rows×warps"), style.SMALL, "mute", fit=right - 30)
    told = "; ".join(
        f"{power_of_two(rows)}×{columns} {dtype} {regret:.3f} ({together}×{warps})"
        for (rows, columns, dtype), (regret, together, warps) in found.items()
    )
    return Picture(canvas, f"{title}。{told}。", f"{title}. {told}.")
