"""Attention: its matrices with their sides in proportion, and where flash attention is among the tiles."""

import math

from ..attention.counts import flash_elements, naive_elements
from ..language import Text
from . import style
from .canvas import Canvas
from .picture import Picture
from .units import short

LONG, SHORT = 112, 30  # N and d, on paper
MATRICES = {"Q": "[N, d]", "Kᵀ": "[d, N]", "S": "[N, N]", "P": "[N, N]", "V": "[N, d]", "O": "[N, d]"}
SIGNS = "×=→×="  # between them


def attention_shapes(tiles=None, at=(0, 0)) -> Picture:
    """Q·Kᵀ = S, its softmax P, P·V = O. With `tiles` (down, across), the tile `at` (row, column) and what it takes from each."""
    down = 226 * style.narrow()  # on a phone the second product stands below the first
    canvas = Canvas(284 + down)
    top, x, places = 88, 44, {}
    for (name, shape), sign in zip(MATRICES.items(), SIGNS + " "):
        if down and name == "P":
            top, x = top + down, 44
        middle = top + LONG / 2
        square = name in "SP"
        wide, high = (LONG, SHORT) if name == "Kᵀ" else (LONG if square else SHORT, LONG)
        places[name] = x, middle - high / 2, wide, high
        if square and tiles:
            canvas.rect(*places[name], None, "mute", dash="4 3")
        else:
            fill = "void" if square else "c2" if name == "O" else "c0"
            canvas.rect(*places[name], fill, "paper", opacity=0.25 if tiles else None)
        canvas.text(x + wide / 2, top - 44, name, style.TITLE, "ink", "middle", bold=True)
        canvas.text(x + wide / 2, top - 24, shape, style.SMALL, "mute", "middle")
        apart = 64 if name == "S" else 40
        canvas.text(x + wide + apart / 2, middle + 6, sign.strip(), 20, "ink", "middle")
        if name == "S":
            canvas.text(x + wide + apart / 2, middle - 16, "softmax", style.SMALL, "mute", "middle")
        x += wide + apart
    if tiles is None:
        _square(canvas, places, top + LONG + 28)
        return Picture(
            canvas,
            "注意力的形状：Q [N, d] 乘 Kᵀ 得 S [N, N]，逐行 softmax 得 P [N, N]，再乘 V 得 O [N, d]。",
            "The shapes of attention: Q [N, d] times Kᵀ is S [N, N], its softmax is P [N, N], and that times V is O [N, d].",
        )
    _tile(canvas, places, tiles, at, top + LONG + 28)
    return Picture(
        canvas,
        f"一个 program 手里的分块：第 {at[0]} 块 Q 留着，第 {at[1]} 块 K 和 V 经过，S 只有一块，m、s、o 一路累计。",
        f"The tiles of one program: tile {at[0]} of Q stays, tile {at[1]} of K and V passes by, S is one tile, and m, s, o run on.",
    )


def _square(canvas, places, y):
    """One row and one column meet in one score; the two N×N matrices are what this is about."""
    (qx, y0, *_), (kx, ky, *_), (sx, *_) = places["Q"], places["Kᵀ"], places["S"]
    line, i, j = 8, y0 + 40, 64
    (px, below, *_), (ox, *_) = places["P"], places["O"]
    below += 40
    canvas.rect(qx, i, SHORT, line, "c1")
    canvas.rect(kx + j, ky, line, SHORT, "c1")
    canvas.rect(sx, i, LONG, line, "c1", opacity=0.35)
    canvas.rect(sx + j, i, line, line, "c1")
    canvas.rect(px, below, LONG, line, "c1")
    canvas.rect(ox, below, SHORT, line, "c1")
    left, right = min(sx, px), px + LONG
    canvas.lines([(left, y - 14), (left, y - 6), (right, y - 6), (right, y - 14)], "alarm")
    told = "各有 N² 个数 · N² numbers each"
    middle = style.WIDTH / 2 if style.narrow() else (left + right) / 2
    canvas.text(middle, y + 16, told, style.BODY, "alarm", "middle")


def _tile(canvas, places, tiles, at, y):
    (down, across), (i, j) = tiles, at
    high, wide = LONG / down, LONG / across
    for name in "QO":
        x0, y0, w, _ = places[name]
        canvas.rect(x0, y0 + i * high, w, high, "c0" if name == "Q" else "c2")
    kx, ky, _, kh = places["Kᵀ"]
    canvas.rect(kx + j * wide, ky, wide, kh, "c1")
    vx, vy, vw, _ = places["V"]
    canvas.rect(vx, vy + j * wide, vw, wide, "c1")
    for name in "SP":
        x0, y0, w, _ = places[name]
        canvas.rect(x0, y0 + i * high, w, high, "c2", opacity=0.2)
        canvas.rect(x0 + j * wide, y0 + i * high, wide, high, "c2")
    ox, oy, ow, _ = places["O"]
    for k, name in enumerate(("m", "s")):
        canvas.rect(ox + ow + 14 + k * 24, oy + i * high, 9, high, "c2")
        canvas.text(ox + ow + 18 + k * 24, oy + i * high - 8, name, style.BODY, "ink", "middle", bold=True)
    under, middle = places["Q"][1] + LONG + 36, (places["S"][0] + places["P"][0] + LONG) / 2
    for x, base, label in (
        (places["Q"][0] + SHORT / 2, under, "留着 · stays"),
        (kx + LONG / 2, under, "一块块经过 · pass, tile by tile"),
        (middle, y + 8 + 26 * style.narrow(), "一块分数，只在寄存器里 · one tile of scores, in registers"),
        (vx + vw / 2, y + 8, "经过 · pass"),
        (ox + ow / 2 + 22, y + 8, "边走边改 · updated"),
    ):
        canvas.text(x, base, label, style.SMALL, "ink", "middle")


BOX = 288  # the N×N scores, on paper


def scores_of(n) -> list[float]:
    """A row of scores that look shuffled and rise a little, so that the maximum moves again and again."""
    return [(5 * j * j + 3 * j) % 13 / 3 - 2 + j / 16 for j in range(n)]


def values_of(n) -> list[float]:
    return [float(1 + j % 4) for j in range(n)]


def key_tiles(n, rows, columns, tile, causal) -> int:
    """How many tiles of keys the program of this tile of queries walks over."""
    return math.ceil((min((tile + 1) * rows, n) if causal else n) / columns)


def running(scores, values, columns, steps) -> list[tuple[float, float, float, float]]:
    """(m, s, o, factor) after each tile of the row; o is not yet divided by s."""
    m, s, o, states = -math.inf, 0.0, 0.0, []
    for start in range(0, steps * columns, columns):
        tile, held = scores[start : start + columns], values[start : start + columns]
        top = max([m, *tile])
        factor = math.exp(m - top) if m > -math.inf else 0.0
        weights = [math.exp(score - top) if score > -math.inf else 0.0 for score in tile]
        m, s, o = top, s * factor + sum(weights), o * factor + sum(w * v for w, v in zip(weights, held))
        states.append((m, s, o, factor))
    return states


def attention_tiles(n=32, d=16, rows=8, columns=8, causal=True, tile=2, step=2) -> Picture:
    """`tile` numbers the tile of queries, each a program of its own; `step` says how many tiles of keys have passed it."""
    left, top, unit = 70, 84, BOX / n
    x, below = (44, 390) if style.narrow() else (430, 0)  # where the row is told
    down, across = ([(at * unit, min(size, n - at) * unit) for at in range(0, n, size)] for size in (rows, columns))
    tile = min(tile, len(down) - 1)
    count = key_tiles(n, rows, columns, tile, causal)
    step = min(step, count)
    canvas = Canvas(424 + below)
    title = Text(
        f"第 {tile} 块查询走过 {step} / {count} 块 K、V（每块 {rows} × {columns}）",
        f"tile {tile} of queries, {step} of {count} tiles of K, V   ({rows} × {columns})",
    )
    canvas.text(24, 30, title, style.BODY, "ink", bold=True)
    for k, (at, wide) in enumerate(across):
        colour, opacity = ("c1", None) if step and k == step - 1 else ("c0", 0.35)
        canvas.rect(left + at, top - 26, wide - 1, 16, colour, opacity=opacity)
    for k, (at, high) in enumerate(down):
        canvas.rect(left - 26, top + at, 16, high - 1, "c0", opacity=None if k == tile else 0.35)
    canvas.text(left - 18, top - 13, "Q", style.SMALL, "ink", "middle")
    canvas.text(left + BOX + 8, top - 13, "K, V", style.SMALL, "ink")
    ends = [key_tiles(n, rows, columns, k, causal) for k in range(len(down))]
    _grid(canvas, left, top, down, across, ends, tile, step)
    if causal:  # the border of what may be seen, a stair of one query each
        points = [(left, top)]
        for i in range(n):
            points += [(left + (i + 1) * unit, top + i * unit), (left + (i + 1) * unit, top + (i + 1) * unit)]
        canvas.lines(points, "alarm", line=1.2)
    canvas.rect(left, top, BOX, BOX, None, "mute")
    _legend(canvas, left - 26, top + BOX + 26, causal)
    row, met = min((tile + 1) * rows, n) - 1, min(step * columns, n)
    known = _row(canvas, x, below, n, row, columns, causal, step)
    moved, naive = flash_elements(n, d, rows, causal), naive_elements(n, d, causal)
    written = "3N² + N(N+1)/2 + 4Nd" if causal else "4N² + 4Nd"
    canvas.text(x, below + 344, "已读 · loaded", style.SMALL, "mute")
    loaded = f"Q {tile}: {rows * d + 2 * d * met} = {rows}·{d} + 2·{d}·{met}"
    canvas.text(x, below + 361, loaded, style.SMALL, "ink", fit=310)
    canvas.text(x, below + 384, "全部读写 · all loads and stores", style.SMALL, "mute")
    canvas.text(x, below + 401, f"{moved}    ({written} = {naive})", style.SMALL, "ink", fit=310)
    total = len(down) * len(across)
    skipped = total - sum(ends)
    short_zh = "2B_q 比 d 还小，分块反而读得更多。" if moved > naive else ""
    short_en = " With 2B_q this small beside d, tiles load more, not less." if moved > naive else ""
    half_zh = "，其中 softmax 只读看得见的 S" if causal else ""
    half_en = ", where softmax reads only the visible part of S" if causal else ""
    return Picture(
        canvas,
        f"第 {tile} 块查询走过 {step} / {count} 块 K、V；{total} 块里跳过 {skipped} 块。第 {row} 行此刻：{known}。",
        f"Tile {tile} of queries has met {step} of {count} tiles of K and V; {skipped} of {total} tiles are skipped. Row {row} now: {known}.",
        Text(
            f"全部 program 读写 {moved:,} 个元素；写出 S 和 P 要 {naive:,} 个{half_zh}。{short_zh}",
            f"All programs load and store {moved:,} elements; with S and P written out it is {naive:,}{half_en}.{short_en}",
        ),
    )


def _grid(canvas, left, top, down, across, ends, tile, step):
    """The tiles of the scores, and hatched those that are skipped."""
    places = {"grid": [], "c1": [], "c2": []}
    for i, ((y, high), end) in enumerate(zip(down, ends)):
        for j, (x, wide) in enumerate(across[:end]):
            fill = "grid" if i != tile or j >= step else "c1" if j == step - 1 else "c2"
            places[fill].append((left + x, top + y, wide - 1, high - 1))
        if end < len(across):
            x, wide = across[end][0], across[0][1]
            canvas.hatch(left + x, top + y, BOX - x - 1, high - 1, "void", gap=max(5, min(wide, high) / 4))
    for fill, found in places.items():
        canvas.rects(found, fill)


def _legend(canvas, x, y, causal):
    x = canvas.legend(x, y, {"c2": "已并入 · merged", "c1": "正经过 · passing"})
    if causal:
        canvas.rect(x, y - 11, 12, 12, None, "mute")
        canvas.hatch(x, y - 11, 12, 12, "mute", gap=4)
        canvas.text(x + 18, y, "跳过 · skipped", style.SMALL, "mute")


def _row(canvas, x, top, n, row, columns, causal, step) -> str:
    """The last row of the tile: its scores as bars, and m, s, o."""
    wide, base, scale = 300 / n, top + 190, 14
    scores, values = scores_of(n), values_of(n)
    if causal:
        scores = [score if j <= row else -math.inf for j, score in enumerate(scores)]
    canvas.text(x, top + 66, Text(f"第 {row} 行", f"row {row}"), style.BODY, "ink", bold=True)
    states = running(scores, values, columns, step)
    for j, score in enumerate(scores):
        place = x + j * wide
        if score == -math.inf:
            canvas.hatch(place, base - 56, wide - 1, 84, "void", gap=5)
            continue
        passing = step and (step - 1) * columns <= j < step * columns
        fill = "c1" if passing else "c2" if j < step * columns else "void"
        high = abs(score) * scale
        canvas.rect(
            place, base - high if score > 0 else base, wide - 1, max(high, 1.5), fill, tip=f"score {j}: {score:g}"
        )
    canvas.lines([(x, base), (x + 300, base)], "mute", line=1)
    if states and states[-1][0] > -math.inf:
        y = base - states[-1][0] * scale
        canvas.lines([(x, y), (x + 300, y)], "alarm", line=1.4, dash="4 3")
        canvas.text(x + 304, y + 4, "m", style.SMALL, "alarm")
    m, s, o, factor = states[-1] if states else (-math.inf, 0.0, 0.0, 0.0)
    shown = (
        ("m", m, "最大值 · maximum"),
        ("s", s, "和 · sum"),
        ("o[0]", o, "加权和 · weighted sum"),
        ("e^(m−m')", factor, "旧的乘上它 · rescales the old"),
    )
    for k, (name, value, told) in enumerate(shown):
        y = top + 244 + 22 * k
        canvas.text(x, y, name, style.BODY, "ink", bold=True)
        canvas.text(x + 84, y, short(value), style.BODY, "ink")
        canvas.text(x + 152, y, told, style.SMALL, "mute")
    return f"m = {short(m)}, s = {short(s)}, o = {short(o)}"
