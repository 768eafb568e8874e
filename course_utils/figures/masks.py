"""A row whose length is no power of two: what comes of the lanes beyond its end, and a masked load elsewhere."""

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
    memory = lanes(n_cols, "none", shift)[0]
    loaded, powers, results = lanes(n_cols, padding, shift)
    block, masked = len(loaded), padding != "none"
    total = math.fsum(results[:n_cols])
    right = abs(total - 1) < 1e-6
    row_sum = short(total) if right else _below_one(total)
    canvas = Canvas(312)
    _whole_block(canvas, n_cols, block)
    first = 0 if block <= SEEN else min(max(n_cols - SEEN // 2, 0), block - SEEN)
    seen = range(first, min(first + SEEN, block))
    left, top, step, cell = 134, 112, 44, min(38.0, 464 / len(seen))
    end = left + cell * len(seen)
    canvas.lines([(left, 88), (end, 88)], "grid", line=1)
    rows = (
        ("显存 · memory", memory, "下一行 · next row" if n_cols < block else ""),
        ("tl.load", loaded, f"max = {short(max(loaded))}"),
        ("exp(x − max)", powers, f"Σ = {short(math.fsum(powers))}"),
        ("÷ Σ", results, f"Σ y[:N] = {row_sum}"),
    )
    for k, (name, values, note) in enumerate(rows):
        y = top + k * step
        canvas.text(left - 12, y + 21, name, style.BODY, "ink", "end")
        for i, lane in enumerate(seen):
            x, inside = left + i * cell, lane < n_cols
            foreign = not inside and (k == 0 or not masked)  # what lies behind the row, or was computed from it
            fill = "c0" if inside else "c3" if foreign else "wash"
            canvas.rect(x, y, cell, 32, fill, "paper", line=1.5)
            harmful = padding == "0" and k < 3  # the padding goes into the sum
            colour = "on" if inside or foreign else "alarm" if harmful else "mute"
            if inside or k < 3 or not masked:
                canvas.text(x + cell / 2, y + 21, _tiny(values[lane]), style.SMALL, colour, "middle", fit=cell - 4)
        if masked and k in (1, 3) and seen[-1] >= n_cols:
            start = left + (max(n_cols, first) - first) * cell
            canvas.hatch(start, y, end - start, 32, "void", gap=8)
        wrong = bool(note) and not right and k > 0
        canvas.text(end + 12, y + 21, note, style.BODY, "alarm" if wrong else "ink", bold=wrong)
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
        f"N = {n_cols}，BLOCK = {block}，用到 {share} 的元素，填充 {padding}，行和 {row_sum}。",
        f"N = {n_cols}, BLOCK = {block}, {share} of the elements used, padding {padding}, row sum {row_sum}.",
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


CELL, HIGH, LEFT = 38, 32, 36


def mask_and_copy(columns: int = 5, block: int = 8) -> Picture:
    """Every lane asked for itself, and one copy with a length."""
    above, below = 84, 186
    canvas = Canvas(260)
    left, right = 36, style.WIDTH - 36 - CELL * block
    for x, name in ((left, "GPU：每个 lane 各问一次 · each lane asks"), (right, "昇腾：一次拷贝 · Ascend: one copy")):
        canvas.text(x, 34, name, style.BODY, "ink", bold=True, fit=CELL * block + 20)
        canvas.text(x, above - 10, "显存 · memory", style.SMALL, "mute")
        cells(canvas, x, above, [f"x{i}" if i < columns else "" for i in range(block)], columns)
        cells(canvas, x, below, [f"x{i}" if i < columns else "−∞" for i in range(block)], columns)
    for i in range(block):
        middle = left + (i + 0.5) * CELL
        if i < columns:
            canvas.arrow((middle, above + HIGH + 4), (middle, below - 4), "ink")
        else:
            canvas.lines([(middle, above + HIGH + 4), (middle, below - 4)], "mute", line=1, dash="3 4")
    canvas.text(left, below + HIGH + 26, "寄存器 · registers", style.SMALL, "mute")
    wide = CELL * columns
    canvas.rect(right + 4, above + HIGH + 8, wide - 8, below - above - HIGH - 30, "c0", opacity=0.5)
    tip = below - 4
    canvas.lines([(right, tip - 18), (right + wide, tip - 18), (right + wide / 2, tip)], None, fill="c0", opacity=0.5)
    canvas.text(
        right + wide / 2, above + HIGH + 34, f"memref.copy {columns}", style.SMALL, "ink", "middle", fit=wide - 16
    )
    end, under = right + CELL * block, below + HIGH + 5
    canvas.lines([(right + 1, under), (end - 1, under)], "mute", line=2)  # the fill is as wide as the block
    canvas.text(end, under + 20, f"linalg.fill {block}", style.SMALL, "ink", "end")
    canvas.text(right, below + HIGH + 26, "缓冲区 · buffer", style.SMALL, "mute")
    return Picture(
        canvas,
        f"GPU：{block} 个 lane 各看自己的掩码，{columns} 个去读，{block - columns} 个得到 −∞。昇腾：先用 −∞ 填满，再拷贝 {columns} 个。",
        f"GPU: {block} lanes look at their masks; {columns} load, {block - columns} get −∞. "
        f"Ascend: fill with −∞, then copy {columns}.",
    )


def mask_as_address(columns: int = 5, block: int = 8) -> Picture:
    """Masked-off lanes are given an offset beyond the buffer's end, and the hardware hands out 0."""
    memory, loaded, chosen, fence = 66, 186, 244, 560
    canvas, off = Canvas(312), block - columns
    canvas.text(LEFT, memory - 12, "这一行 · this row", style.SMALL, "mute")
    after = LEFT + CELL * columns
    canvas.text(after + 4, memory - 12, "下一行 · the next row", style.SMALL, "mute")
    cells(canvas, LEFT, memory, [f"x{i}" for i in range(columns)] + [""] * columns, columns)
    canvas.text(after + CELL * columns + 30, memory + 21, "⋯", style.BODY, "mute")
    canvas.lines([(fence, memory - 26), (fence, memory + HIGH + 18)], "alarm", line=2)
    canvas.text(fence - 8, memory - 12, "0x7ffffffe B", style.SMALL, "alarm", "end")
    canvas.text(fence + 10, memory - 12, "这以外 · beyond", style.SMALL, "mute")
    outside = fence + 34
    canvas.rect(outside, memory, 3 * CELL, HIGH, None, "mute", dash="3 4", round_=2)
    canvas.text(outside + 1.5 * CELL, memory + 21, "2³¹", style.BODY, "ink", "middle")
    for i in range(block):
        middle = LEFT + (i + 0.5) * CELL
        if i < columns:
            canvas.arrow((middle, memory + HIGH + 4), (middle, loaded - 4))
        else:
            canvas.curve(
                (outside + (i - columns + 1) * 3 * CELL / (off + 1), memory + HIGH + 4),
                (middle, loaded - 4),
                "alarm",
                dash="4 4",
            )
    found = [f"x{i}" for i in range(columns)]
    cells(canvas, LEFT, loaded, found + ["0"] * off, columns)
    cells(canvas, LEFT, chosen, found + ["−∞"] * off, columns)
    right = LEFT + CELL * block + 14
    canvas.text(right, loaded + 21, "buffer_load", style.SMALL, "ink")
    canvas.text(right, chosen + 21, "v_cndmask", style.SMALL, "ink")
    canvas.text(LEFT, chosen + HIGH + 22, "寄存器 · registers", style.SMALL, "mute")
    return Picture(
        canvas,
        f"AMD：{columns} 个 lane 读自己的元素，{off} 个被指到缓冲区的末尾之外，硬件给它们 0，再换成 −∞。",
        f"AMD: {columns} lanes load their elements; {off} are sent beyond the buffer's end, get 0 from the hardware, then −∞.",
    )


def cells(canvas, x, y, names, columns):
    """A row of cells; the first `columns` hold data."""
    for i, name in enumerate(names):
        inside = i < columns
        canvas.rect(
            x + i * CELL + 1, y, CELL - 2, HIGH, "c0" if inside else "wash", None if inside else "mute", round_=2
        )
        canvas.text(x + (i + 0.5) * CELL, y + 21, name, style.SMALL, "on" if inside else "ink", "middle")
