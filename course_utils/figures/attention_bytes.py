"""How many bytes a head of attention moves, against the length of the sequence: the N×N matrix, tiles, and the lower bound."""

from ..attention.counts import flash_elements, naive_elements
from ..language import Text
from . import style
from .canvas import Canvas
from .picture import Picture
from .plot import Axis, Plot
from .units import short, size

LENGTHS = [2**k for k in range(8, 18)]
NAMES = {
    "naive": ("naive", "写出 S、P", "S and P written"),
    "flash": ("course", "分块", "tiles"),
    "least": ("copy", "4Nd", "4Nd"),
}


def attention_bytes(n=4096, d=128, rows=128, causal=False, itemsize=2) -> Picture:
    """`rows` is the tile of queries. What the loads and stores of one head ask for; `least` is each element once."""
    counts = {
        "naive": lambda n: naive_elements(n, d, causal),
        "flash": lambda n: flash_elements(n, d, rows, causal),
        "least": lambda n: 4 * n * d,
    }
    lengths = sorted({*LENGTHS, n})
    curves = {name: {x: of(x) * itemsize for x in lengths} for name, of in counts.items()}
    canvas = Canvas(style.WIDTH, 380)
    plot = Plot(
        canvas, 92, 66, canvas.width - 200, 318, Axis(lengths[0], lengths[-1], log=True),
        Axis(min(curves["least"].values()) / 1.6, max(curves["naive"].values()) * 1.6, log=True),
    )  # fmt: skip
    steps = [2.0**k for k in range(10, 50, 4)]
    plot.grid(LENGTHS, [y for y in steps if plot.y.low < y < plot.y.high], x_text=lambda n: str(n), y_text=size)
    plot.titles("N", f"字节 · bytes, 1 head, d = {d}, B_q = {rows}")
    at, here = plot.at(n, plot.y.low)[0], {name: curve[n] for name, curve in curves.items()}
    canvas.lines([(at, plot.top), (at, plot.bottom)], "ink", line=1.2, dash="3 3")
    ends = []
    for name, curve in curves.items():
        colour = NAMES[name][0]
        plot.line(
            sorted(curve.items()), colour, line=3 if name == "flash" else 2, dash="6 4" if name == "least" else None
        )
        canvas.circle(*plot.at(n, here[name]), 5, colour, "ink", tip=f"{name}: {size(here[name])}")
        ends.append([plot.at(lengths[-1], curve[lengths[-1]])[1], name])
    ends.sort()
    for k in range(1, len(ends)):
        ends[k][0] = max(ends[k][0], ends[k - 1][0] + 40)
    for y, name in ends:
        colour, zh, en = NAMES[name]
        canvas.rect(plot.right + 14, y - 5, 10, 10, colour, round_=2)
        label = zh if zh == en else f"{zh} · {en}"
        canvas.text(plot.right + 30, y + 4, label, style.SMALL, "ink", fit=160)
        canvas.text(plot.right + 30, y + 19, size(here[name]), style.SMALL, "mute")
    fewer, over = short(here["naive"] / here["flash"]), short(here["flash"] / here["least"])
    return Picture(
        canvas,
        f"N = {n}，d = {d}，B_q = {rows}：写出 S、P 要 {size(here['naive'])}，分块 {size(here['flash'])}，每个元素一次 {size(here['least'])}。",
        f"N = {n}, d = {d}, B_q = {rows}: {size(here['naive'])} with S and P written, {size(here['flash'])} in tiles, "
        f"{size(here['least'])} for each element once.",
        Text(
            f"写出 S、P 的读写是分块的 {fewer} 倍，分块的是下限 4Nd 的 {over} 倍；这些读写里，K 和 V 的重复读取可以由 L2 提供。",
            f"Written out, S and P take {fewer} times the loads and stores of tiles, and tiles take {over} times the lower bound of 4Nd; "
            "the repeated loads of K and V among them can be served by L2.",
        ),
    )
