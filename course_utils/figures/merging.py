"""Pairs (m, s) of parts of a row, merged two at a time in any order. Powers of 2 in place of e, so that a head can follow."""

import math
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
    if m == -math.inf:
        return m, 0.0
    return m, a[1] * 2.0 ** (a[0] - m) + b[1] * 2.0 ** (b[0] - m)


def leaves(order=0, empty=False) -> list[tuple[float, float]]:
    """The pair of every number; `order` shuffles them, `empty` makes −inf of two."""
    numbers = [-math.inf if empty and k in (1, 2) else float(x) for k, x in enumerate(NUMBERS)]
    if order:
        random.Random(order).shuffle(numbers)
    return [(x, 0.0 if x == -math.inf else 1.0) for x in numbers]


def merges(shape: str, order=0, count=8) -> list[int]:
    """Which neighbours meet, one merge after another: position k among those that are left meets position k + 1."""
    if shape == "one by one":
        return [0] * (count - 1)
    if shape == "at random":
        chance = random.Random(order + 1)
        return [chance.randrange(left - 1) for left in range(count, 1, -1)]
    places, left = [], count
    while left > 1:
        places += range(left // 2)
        left = (left + 1) // 2
    return places


def merge_tree(shape="pairwise", order=0, empty=False, step=None) -> Picture:
    """Eight numbers of a row as pairs, and the first `step` merges of them; all without it."""
    pairs, places = leaves(order, empty), merges(shape, order)
    shown = len(places) if step is None else max(0, min(step, len(places)))
    pitch, high, gap, top, left = 90, 42, 62, 62, 28
    nodes = [(pair, left + k * pitch + pitch / 2 - 8, 0, None) for k, pair in enumerate(pairs)]
    alive, lines = list(nodes), []
    depth = 0
    for number, k in enumerate(places):
        a, b = alive[k], alive[k + 1]
        level = max(a[2], b[2]) + 1
        depth = max(depth, level)
        node = (merged(a[0], b[0]), (a[1] + b[1]) / 2, level, (a[0], b[0]))
        if number < shown:
            alive[k : k + 2] = [node]
            nodes.append(node)
            lines += [(child, node) for child in (a, b)]
        else:
            alive[k : k + 2] = [node]
    title = f"(m, s) = (m₁, s₁) ⊕ (m₂, s₂)    {shown} / {len(places)}"
    canvas = Canvas(top + depth * gap + high + 22, title)
    canvas.text(canvas.width - 24, 32, "橙线：这一边要补救 · orange: this side is repaired", style.SMALL, "mute", "end")
    for child, node in lines:
        start, end = (child[1], top + child[2] * gap + high), (node[1], top + node[2] * gap)
        repaired = child[0][0] != node[0][0] and child[0][0] != -math.inf
        canvas.curve(start, end, "c1" if repaired else "mute", line=2.4 if repaired else 1.2)
    for k, (pair, x, level, parts) in enumerate(nodes):
        y = top + level * gap
        newest = parts is not None and k == len(nodes) - 1
        wide = 116 if parts else 82
        canvas.rect(x - wide / 2, y, wide, high, "paper")
        colour = "c2" if newest else "c0"
        canvas.rect(x - wide / 2, y, wide, high, colour, colour, round_=5, opacity=0.5 if parts else 0.2)
        size = style.BODY
        if parts:
            canvas.text(x, y + 17, _pair(pair), size, "ink", "middle", bold=True, fit=wide - 8)
            canvas.text(x, y + 33, _sum(parts, pair[0]), style.SMALL, "ink", "middle", fit=wide - 8)
        else:
            canvas.text(x, y + 25, _pair(pair), size, "ink", "middle", fit=wide - 8)
    zh, en = f"{len(pairs)} 个数，合并 {shown} 次", f"{len(pairs)} numbers, merges: {shown}"
    if shown == len(places):
        end = nodes[-1][0]
        whole = end[1] * 2 ** end[0]
        note = Text(
            f"得到 {_pair(end)}。核对：{_number(end[1])} × 2^{_number(end[0])} = {_number(whole)}，正是各个 2^x 之和。",
            f"The result is {_pair(end)}. Check: {_number(end[1])} × 2^{_number(end[0])} = {_number(whole)}, which is the sum of all 2^x.",
        )
        return Picture(canvas, f"{zh}，得到 {_pair(end)}", f"{en}, result {_pair(end)}", note)
    return Picture(canvas, zh, en)


def _number(value: float) -> str:
    return "−∞" if value == -math.inf else f"{value:g}"


def _pair(pair) -> str:
    return f"({_number(pair[0])}, {_number(pair[1])})"


def _sum(parts, m) -> str:
    """How the merged sum came about, such as 1.25/2 + 1.5."""
    terms = [
        "0" if own == -math.inf else _number(s) + ("" if own == m else f"/{2 ** int(m - own)}") for own, s in parts
    ]
    return " + ".join(terms)
