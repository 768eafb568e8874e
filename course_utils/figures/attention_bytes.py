"""How many bytes a head of attention moves, against the length of the sequence: the N×N matrix, tiles, and the lower bound."""

from ..attention.counts import flash_elements, naive_elements
from ..language import Text
from .chart import Axis, Curve, chart
from .picture import Picture
from .units import short, size

LENGTHS = [2**k for k in range(8, 18)]


def attention_bytes(n=4096, d=128, rows=128, causal=False, itemsize=2) -> Picture:
    """`rows` is the tile of queries. What the loads and stores of one head ask for; `least` is each element once."""
    counts = {
        "naive": lambda n: naive_elements(n, d, causal),
        "flash": lambda n: flash_elements(n, d, rows, causal),
        "least": lambda n: 4 * n * d,
    }
    lengths = sorted({*LENGTHS, n})
    curves = {name: {x: of(x) * itemsize for x in lengths} for name, of in counts.items()}
    here = {name: curve[n] for name, curve in curves.items()}
    low, high = min(curves["least"].values()) / 1.6, max(curves["naive"].values()) * 1.6
    frame = chart(
        [
            Curve("写出 S、P · S, P written", curves["naive"], "naive", size(here["naive"]), dots=0),
            Curve("分块 · tiles", curves["flash"], "course", size(here["flash"]), line=3.5, dots=0),
            Curve("4Nd", curves["least"], "copy", size(here["least"]), dash="6 4", dots=0),
        ],
        Axis("N", lengths[0], lengths[-1], log=2),
        Axis(
            Text(f"字节，1 个头，d = {d}，B_q = {rows}", f"bytes, 1 head, d = {d}, B_q = {rows}"),
            low, high, log=2, ticks=[2.0**k for k in range(10, 50, 4) if low < 2.0**k < high], text=size,
        ),
        height=390,
    )  # fmt: skip
    frame.mark(n, "")
    for curve in curves.values():
        frame.canvas.circle(*frame.at(n, curve[n]), 5, "paper", "ink", line=1.5)
    fewer, over = short(here["naive"] / here["flash"]), short(here["flash"] / here["least"])
    return Picture(
        frame.canvas,
        f"N = {n}，d = {d}，B_q = {rows}：写出 S、P 要 {size(here['naive'])}，分块 {size(here['flash'])}，每个元素一次 {size(here['least'])}。",
        f"N = {n}, d = {d}, B_q = {rows}: {size(here['naive'])} with S and P written, {size(here['flash'])} in tiles, "
        f"{size(here['least'])} for each element once.",
        Text(
            f"写出 S、P 的读写是分块的 {fewer} 倍，分块的是下限 4Nd 的 {over} 倍；这些读写里，K 和 V 的重复读取可以由 L2 提供。",
            f"Written out, S and P take {fewer} times the loads and stores of tiles, and tiles take {over} times the lower bound of 4Nd; "
            "the repeated loads of K and V among them can be served by L2.",
        ),
    )
