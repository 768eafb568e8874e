"""The matrices of attention, drawn with their sides in proportion; and which tiles of them one program holds."""

from . import style
from .canvas import Canvas
from .picture import Picture

LONG, SHORT = 112, 30  # N and d, on paper


def attention_shapes(tiles=None, at=(0, 0)) -> Picture:
    """Q·Kᵀ = S, its softmax P, P·V = O. With `tiles` (down, across), the tile `at` (row, column) and what it takes from each."""
    canvas = Canvas(284)
    top, x, gap = 88, 44, 40
    middle = top + LONG / 2
    sizes = (("Q", "[N, d]"), ("Kᵀ", "[d, N]"), ("S", "[N, N]"), ("P", "[N, N]"), ("V", "[N, d]"), ("O", "[N, d]"))
    places = {}
    for k, (name, shape) in enumerate(sizes):
        wide, high = (LONG, SHORT) if name == "Kᵀ" else (LONG if name in "SP" else SHORT, LONG)
        square = name in "SP"
        ghost = square and tiles
        y = middle - high / 2
        places[name] = (x, y, wide, high)
        fill = None if ghost else "void" if square else "c2" if name == "O" else "c0"
        opacity = 0.25 if tiles and not square else None
        canvas.rect(
            x, y, wide, high, fill, "mute" if ghost else "paper", dash="4 3" if ghost else None, opacity=opacity
        )
        canvas.text(x + wide / 2, 44, name, style.TITLE, "ink", "middle", bold=True)
        canvas.text(x + wide / 2, 64, shape, style.SMALL, "mute", "middle")
        if k < 5:
            sign = ("×", "=", "→", "×", "=")[k]
            apart = gap + 24 * (name == "S")
            canvas.text(x + wide + apart / 2, middle + 6, sign, 20, "ink", "middle")
        if name == "S":
            canvas.text(x + wide + apart / 2, middle - 16, "softmax", style.SMALL, "mute", "middle")
        x += wide + apart
    y = top + LONG + 28
    if tiles is None:
        _square(canvas, places, y)
        return Picture(
            canvas,
            "注意力的形状：Q [N, d] 乘 Kᵀ 得 S [N, N]，逐行 softmax 得 P [N, N]，再乘 V 得 O [N, d]。",
            "The shapes of attention: Q [N, d] times Kᵀ is S [N, N], its softmax is P [N, N], and that times V is O [N, d].",
        )
    _tile(canvas, places, tiles, at, y)
    return Picture(
        canvas,
        f"一个 program 手里的分块：第 {at[0]} 块 Q 留着，第 {at[1]} 块 K 和 V 经过，S 只有一块，m、s、o 一路累计。",
        f"The tiles of one program: tile {at[0]} of Q stays, tile {at[1]} of K and V passes by, S is one tile, and m, s, o run on.",
    )


def _square(canvas, places, y):
    """One row and one column meet in one score; the two N×N matrices are what this is about."""
    (qx, qy, qw, _), (kx, ky, _, kh), (sx, sy, sw, _) = places["Q"], places["Kᵀ"], places["S"]
    px, py = places["P"][:2]
    line, i, j = 8, 40, 64
    canvas.rect(qx, qy + i, qw, line, "c1")
    canvas.rect(kx + j, ky, line, kh, "c1")
    canvas.rect(sx, sy + i, sw, line, "c1", opacity=0.35)
    canvas.rect(sx + j, sy + i, line, line, "c1")
    canvas.rect(px, py + i, sw, line, "c1")
    canvas.rect(places["O"][0], places["O"][1] + i, qw, line, "c1")
    left, right = sx, px + sw
    canvas.lines([(left, y - 14), (left, y - 6), (right, y - 6), (right, y - 14)], "alarm")
    middle = (left + right) / 2
    told = "N² 个数，写进显存再读回来 · N² numbers, written to memory and read back"
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
    middle = (places["S"][0] + places["P"][0] + LONG) / 2
    for x, label in (
        (places["Q"][0] + SHORT / 2, "留着 · stays"),
        (kx + LONG / 2, "一块块经过 · pass, tile by tile"),
        (middle, "一块分数，只在寄存器里 · one tile of scores, in registers"),
        (vx + vw / 2, "经过 · pass"),
        (ox + ow / 2 + 22, "边走边改 · updated"),
    ):
        canvas.text(x, y + 8, label, style.SMALL, "ink", "middle")
