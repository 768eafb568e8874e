"""Pairs (m, s) merged in any order."""

import random

from ..language import Text
from . import style
from .canvas import Canvas
from .picture import Picture

NUMBERS = (1, 3, 2, 4, 0, 2, 5, 3)
SHAPES = ("pairwise", "one by one", "at random")


def merged(a, b):
    """Two pairs become one: the larger maximum, and both sums brought to it."""
    m = max(a[0], b[0])
    return m, a[1] * 2.0 ** (a[0] - m) + b[1] * 2.0 ** (b[0] - m)


def leaves(order=0) -> list[tuple[float, float]]:
    """The pair of every number; `order` shuffles them."""
    numbers = list(map(float, NUMBERS))
    if order:
        random.Random(order).shuffle(numbers)
    return [(x, 1.0) for x in numbers]


def merges(shape: str, order=0) -> list[int]:
    """Which neighbours meet, one merge after another: position k among those that are left meets position k + 1."""
    if shape == "one by one":
        return [0] * (len(NUMBERS) - 1)
    if shape == "at random":
        chance = random.Random(order + 1)
        return [chance.randrange(left - 1) for left in range(len(NUMBERS), 1, -1)]
    places, left = [], len(NUMBERS)
    while left > 1:
        places += range(left // 2)
        left = (left + 1) // 2
    return places


def merge_tree(shape="pairwise", order=0, step=None) -> Picture:
    """Eight numbers of a row as pairs, and the first `step` merges of them; all without it."""
    pairs, places = leaves(order), merges(shape, order)
    shown = len(places) if step is None else max(0, min(step, len(places)))
    pitch, high, gap, top, left = (49, 42, 62, 84, 24) if style.narrow() else (90, 42, 62, 62, 28)
    small, large = (44, 90) if style.narrow() else (82, 116)  # how wide a number's box is, and a merge's
    nodes = [(pair, left + k * pitch + pitch / 2 - 8, 0, None) for k, pair in enumerate(pairs)]
    alive, lines, depth = list(nodes), [], 0
    for number, k in enumerate(places):
        a, b = alive[k], alive[k + 1]
        level = max(a[2], b[2]) + 1
        depth = max(depth, level)
        alive[k : k + 2] = [node] = [(merged(a[0], b[0]), (a[1] + b[1]) / 2, level, (a[0], b[0]))]
        if number < shown:
            nodes.append(node)
            lines += [(a, node), (b, node)]
    title = f"(m, s) = (m₁, s₁) ⊕ (m₂, s₂)    {shown} / {len(places)}"
    canvas = Canvas(top + depth * gap + high + 22, title)
    told, below = "橙线：这一边要换算 · orange: this side is rescaled", 24 * style.narrow()
    canvas.text(canvas.width - 24, 32 + below, told, style.SMALL, "mute", "end")
    for child, node in lines:
        start, end = (child[1], top + child[2] * gap + high), (node[1], top + node[2] * gap)
        rescaled = child[0][0] != node[0][0]
        canvas.curve(start, end, "c1" if rescaled else "mute", line=2.4 if rescaled else 1.2)
    for node in nodes:
        pair, x, level, parts = node
        y, wide = top + level * gap, large if parts else small
        wide += 30 * (style.narrow() and level > 1)  # nobody stands beside it
        canvas.rect(x - wide / 2, y, wide, high, "paper")
        colour = "c2" if parts and node is nodes[-1] else "c0"
        canvas.rect(x - wide / 2, y, wide, high, colour, colour, round_=5, opacity=0.5 if parts else 0.2)
        base, bold = (17, True) if parts else (25, False)
        canvas.text(x, y + base, _pair(pair), style.BODY, "ink", "middle", bold=bold, fit=wide - 8)
        if parts:
            canvas.text(x, y + 33, _sum(parts, pair[0]), style.SMALL, "ink", "middle", fit=wide - 8)
    zh, en = f"{len(pairs)} 个数，合并 {shown} 次", f"{len(pairs)} numbers, merges: {shown}"
    if shown < len(places):
        return Picture(canvas, zh, en)
    m, s = nodes[-1][0]
    result, check = _pair((m, s)), f"{s:g} × 2^{m:g} = {s * 2**m:g}"
    note = Text(
        f"得到 {result}。核对：{check}，正是各个 2^x 之和。",
        f"The result is {result}. Check: {check}, which is the sum of all 2^x.",
    )
    return Picture(canvas, f"{zh}，得到 {result}", f"{en}, result {result}", note)


def _pair(pair) -> str:
    return "({:g}, {:g})".format(*pair)


def _sum(parts, m) -> str:
    """How the merged sum came about, such as 1.25/2 + 1.5."""
    return " + ".join(f"{s:g}" + ("" if own == m else f"/{2 ** int(m - own)}") for own, s in parts)
