"""A row whose length is no power of two: the lanes beyond its end, and what comes of what they hold."""

import math

from ..language import Text
from . import style
from .canvas import Canvas
from .picture import Picture
from .units import short

_ROW = (2.0, -1.0, 0.5, 1.0, -0.5, 1.5, 0.0)
_NEXT = (4.0, 3.0, 5.0, 3.5, 4.5)
PADDINGS = {"-inf": -math.inf, "0": 0.0, "none": None}
SEEN = 16  # lanes drawn in full: all of a short row, else those around its end


def lanes(n_cols: int, padding="-inf", shift=0.0):
    """What one program holds: (loaded, exponentials, results), a value a lane. Without a mask it reads the next row."""
    block = 1 << max(n_cols - 1, 0).bit_length()
    filler = PADDINGS[padding]
    loaded = [_ROW[j % 7] + shift for j in range(n_cols)]
    loaded += [_NEXT[j % 5] + shift if filler is None else filler for j in range(block - n_cols)]
    top = max(loaded)
    powers = [math.exp(x - top) for x in loaded]
    total = math.fsum(powers)
    return loaded, powers, [p / total for p in powers]


def masked_row(n_cols=5, padding="-inf", shift=0.0) -> Picture:
    """One row in a block of lanes; `padding` is "-inf", "0" or "none" (no mask at all); `shift` moves every score."""
    if padding not in PADDINGS:
        raise ValueError(f"padding: {', '.join(PADDINGS)}")
    loaded, powers, results = lanes(n_cols, padding, shift)
    block, masked = len(loaded), padding != "none"
    total = math.fsum(results[:n_cols])
    right = abs(total - 1) < 1e-6
    canvas = Canvas(312)
    _whole_block(canvas, n_cols, block)
    first = 0 if block <= SEEN else min(max(n_cols - SEEN // 2, 0), block - SEEN)
    seen = range(first, min(first + SEEN, block))
    left, top, step, cell = 134, 112, 44, min(38.0, 464 / len(seen))
    canvas.lines([(left, 88), (left + cell * len(seen), 88)], "grid", line=1)
    rows = (
        (
            "显存 · memory",
            [_ROW[j % 7] + shift if j < n_cols else _NEXT[(j - n_cols) % 5] + shift for j in seen],
            "下一行 · next row" if n_cols < block else "",
        ),
        ("tl.load", [loaded[j] for j in seen], f"max = {short(max(loaded))}"),
        ("exp(x − max)", [powers[j] for j in seen], f"Σ = {short(math.fsum(powers))}"),
        ("÷ Σ", [results[j] for j in seen], f"Σ y[:N] = {short(total) if right else _below_one(total)}"),
    )
    for k, (name, values, note) in enumerate(rows):
        y = top + k * step
        canvas.text(left - 12, y + 21, name, style.BODY, "ink", "end")
        for i, (lane, value) in enumerate(zip(seen, values, strict=True)):
            x, inside = left + i * cell, lane < n_cols
            foreign = not inside and (k == 0 or not masked)  # what lies behind the row, or was computed from it
            fill = "c0" if inside else "c3" if foreign else "wash"
            canvas.rect(x, y, cell, 32, fill, "paper", line=1.5)
            harmful = padding == "0" and k < 3  # the padding goes into the sum
            colour = "on" if inside or foreign else "alarm" if harmful else "mute"
            if inside or k < 3 or not masked:
                canvas.text(x + cell / 2, y + 21, _tiny(value), style.SMALL, colour, "middle", fit=cell - 4)
        if masked and k in (1, 3) and seen[-1] >= n_cols:
            start = left + (max(n_cols, first) - first) * cell
            canvas.hatch(start, y, left + cell * len(seen) - start, 32, "void", gap=8)
        wrong = note and not right and k > 0
        canvas.text(
            left + cell * len(seen) + 12, y + 21, note, style.BODY, "alarm" if wrong else "ink", bold=bool(wrong)
        )
    for i, lane in enumerate(seen):
        canvas.text(left + i * cell + cell / 2, top - 8, lane, 12, "mute", "middle", fit=cell - 2)
    if first:
        canvas.text(left - 12, top - 8, "…", style.SMALL, "mute", "end")
    x = left + (n_cols - first) * cell
    if n_cols < block:
        canvas.lines([(x, top - 20), (x, top + 4 * step - 6)], "ink", line=2, dash="5 3")
    mark, colour = ("✓", "course") if right else ("✗", "alarm")
    canvas.text(canvas.width - 26, 32, mark, 24, colour, "end", bold=True)
    share = f"{n_cols / block:.1%}"
    return Picture(
        canvas,
        f"N = {n_cols}，BLOCK = {block}，用到 {share} 的元素，填充 {padding}，行和 {short(total) if right else _below_one(total)}。",
        f"N = {n_cols}, BLOCK = {block}, {share} of the elements used, padding {padding}, row sum {short(total) if right else _below_one(total)}.",
        _verdict(padding, right, total, n_cols == block),
    )


def _whole_block(canvas, n_cols, block):
    left, wide = 24, canvas.width - 48
    filled = wide * n_cols / block
    canvas.rect(left, 44, filled, 20, "c0")
    if n_cols < block:
        canvas.rect(left + filled, 44, wide - filled, 20, "wash", "edge")
        canvas.hatch(left + filled, 44, wide - filled, 20, "mute")
    text = f"N = {n_cols}    BLOCK = {block}    "
    used = Text(
        f"用 {n_cols / block:.1%}，空 {1 - n_cols / block:.1%}",
        f"{n_cols / block:.1%} used, {1 - n_cols / block:.1%} idle",
    )
    at = left + canvas.text(left, 30, text, style.BODY, "ink", bold=True)
    canvas.text(at, 30, used, style.BODY, "mute")


def _verdict(padding, right, total, full):
    if full:
        return Text(
            "N 正好是 2 的幂：没有多余的元素，怎样填充都一样。",
            "N is a power of two: no element is left over, and the padding never matters.",
        )
    if padding == "-inf":
        return Text(
            "exp(−∞) = 0：多余的元素既不改变最大值，也不改变和。",
            "exp(−∞) = 0: the elements beyond the row change neither the maximum nor the sum.",
        )
    if padding == "none":
        return Text(
            "没有掩码：读进了下一行，写回时还会覆盖它；最后一行则越界。",
            "No mask: it reads the next row, then overwrites it; on the last row it is out of bounds.",
        )
    if right:
        return Text(
            "填 0 碰巧看不出错：分数很高时 exp(0 − max) ≈ 0。",
            "Padding with 0 happens to pass: the scores are so high that exp(0 − max) ≈ 0.",
        )
    return Text(
        f"填 0 不等于没有：每个 0 都给分母添上 exp(0 − max)，行和只有 {_below_one(total)}。",
        f"A 0 is not nothing: each adds exp(0 − max) to the denominator, and the row sums to only {_below_one(total)}.",
    )


def _below_one(total: float) -> str:
    """A sum that is not 1 never reads as 1."""
    said = short(total)
    return f"{total:.6f}" if said == "1" else said


def _tiny(value):
    if value and abs(value) < 0.01:
        return "≈0"
    return f"{value:.2f}".rstrip("0").rstrip(".").replace("-", "−") if math.isfinite(value) else short(value)
