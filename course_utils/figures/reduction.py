"""From many values to one: inside `tl.max` and `tl.sum`, and pairs (m, s) merged in any order."""

import math
import random

from ..language import Text
from . import style
from .canvas import Canvas
from .picture import Picture

WARP = 32
OPERATIONS = {"max": max, "sum": lambda a, b: a + b}


def elements(block: int) -> list[int]:
    """Numbers that look shuffled, all different: powers of a primitive root."""
    prime = 101 if block <= 100 else 1019
    return [pow(2, j + 3, prime) for j in range(block)]


def reduction_stages(block: int, warps: int, operation="max") -> list[tuple[str, list[list[int]]]]:
    """The values after each stage: (its name, for each warp the distinct values it holds).

    A thread first reduces its own elements; a warp then folds in half five times (lane i takes in lane i + 16, + 8, …, + 1),
    and the warps' results meet in shared memory. A block smaller than the threads is held in copies, which don't count.
    """
    combine, values = OPERATIONS[operation], elements(block)
    threads = warps * WARP
    active = min(threads, block)
    own = [values[t::threads] for t in range(active)]
    lanes = [_fold(combine, mine) for mine in own]
    groups = [lanes[w * WARP : (w + 1) * WARP] for w in range(math.ceil(active / WARP))]
    stages = [("threads", groups)]
    width = min(WARP, active)
    while width > 1:
        width //= 2
        groups = [[combine(g[i], g[i + width]) for i in range(width)] for g in groups]
        stages.append((f"shuffle {width}", groups))
    if len(groups) > 1:
        stages.append(("shared", [[g[0] for g in groups]]))
        stages.append(("one", [[_fold(combine, [g[0] for g in groups])]]))
    return stages


def _fold(combine, values):
    result = values[0]
    for value in values[1:]:
        result = combine(result, value)
    return result


def reduction_tree(block=64, warps=1, operation="max", stage=None) -> Picture:
    """From `block` elements to one value; `stage` shows only so many stages, for stepping through."""
    stages = reduction_stages(block, warps, operation)
    shown = len(stages) if stage is None else max(1, min(stage, len(stages)))
    answer = stages[-1][1][0][0]
    warps_used = len(stages[0][1])
    row, top, left = 46, 70, 116 if style.narrow() else 186
    canvas = Canvas(top + row * len(stages) + 6)
    room = canvas.width - left - 24
    gap = 10 if warps_used > 1 else 0
    span = (room - gap * (warps_used - 1)) / warps_used
    lanes = len(stages[0][1][0])
    cell = min(span / lanes, 40)
    each = max(1, block // (warps * WARP))
    text = f"tl.{operation}    BLOCK = {block}    {warps} × 32"
    text = Text(f"{text} 个线程", f"{text} threads")
    canvas.text(24, 32, text, style.BODY, "ink", bold=True)
    most = max(abs(v) for _, groups in stages for g in groups for v in g)
    origin = [left + w * (span + gap) for w in range(warps_used)]
    for k, (name, groups) in enumerate(stages[:shown]):
        y = top + k * row
        canvas.text(24, y + 17, _label(name, each, block, warps), style.SMALL, "ink", fit=left - 34)
        thin: dict = {}
        for g, values in enumerate(groups):
            for i, value in enumerate(values):
                x = origin[g] + i * cell if name not in ("shared", "one") else left + i * 46
                wide = cell if name not in ("shared", "one") else 42
                hit = value == answer
                if name.startswith("shuffle") and cell >= (2 if style.narrow() else 4):
                    before = stages[k - 1][1][g]
                    for start in (i, i + len(values)):
                        came = hit and (before[start] == answer or operation == "sum")
                        points = [(origin[g] + (start + 0.5) * cell, y - row + 25), (x + wide / 2, y - 1)]
                        canvas.lines(points, "c1" if came else "mute", line=1.8 if came else 0.7)
                elif name == "shared":
                    canvas.lines([(origin[i] + cell / 2, y - row + 24), (x + wide / 2, y)], "mute", line=1)
                elif name == "one":
                    for j in range(warps_used):
                        canvas.lines([(left + j * 46 + 21, y - row + 24), (x + wide / 2, y)], "mute", line=1)
                depth = round(4 * abs(value) / most) / 4  # few depths: thin cells of one depth are one shape
                if wide >= 15:
                    canvas.rect(x, y, wide, 24, "paper")
                    canvas.rect(x, y, wide, 24, "c1" if hit else "c0", "paper", opacity=1 if hit else 0.2 + 0.7 * depth)
                    size = min(style.SMALL, wide * 0.6)
                    canvas.text(x + wide / 2, y + 16, value, size, "on" if hit else "ink", "middle", fit=wide - 2)
                else:
                    thin.setdefault("hit" if hit else depth, []).append((x, y, wide - min(1, wide / 4), 24))
        for depth, places in sorted(thin.items(), key=str):
            hit = depth == "hit"
            canvas.rects(places, "c1" if hit else "c0", opacity=1 if hit else 0.2 + 0.7 * depth)
    if shown == len(stages):
        y = top + (shown - 1) * row
        x = left + 60
        canvas.text(x, y + 17, f"= {answer}", style.TITLE, "ink", bold=True)
    depth = sum(name.startswith("shuffle") for name, _ in stages)
    zh = f"tl.{operation}：{block} 个元素，{warps} 个 warp，线程内 {each - 1} 次，warp 内折半 {depth} 次，得 {answer}"
    en = (
        f"tl.{operation}: {block} elements, warps: {warps}, steps in a thread: {each - 1}, "
        f"halvings in a warp: {depth}, result {answer}"
    )
    partly = f" (first {shown} stages shown)" if shown < len(stages) else ""
    note = Text(
        "每一步其实所有 lane 都在算（蝶形交换，shfl.bfly）；这里只画不重复的那一半。",
        "Every lane computes at every step (a butterfly exchange, shfl.bfly); the half that merely repeats the other is not drawn.",
    )
    return Picture(canvas, zh + (f"（显示前 {shown} 步）" if shown < len(stages) else ""), en + partly, note)


def _label(name, each, block, warps):
    if style.narrow():
        return _SHORT.get(name) or Text.of(name.replace("shuffle", "lane i +"))
    if name == "threads":
        if block < warps * WARP:
            return "线程比元素多：其余是副本 · copies: few elements"
        return Text(f"每个线程归约自己的 {each} 个", f"each thread its own {each}")
    if name.startswith("shuffle"):
        step = name.split()[1]
        return Text(f"lane i + {step} 并入 lane i", f"lane i takes in i + {step}")
    if name == "shared":
        return "各 warp 写入共享内存 · into shared memory"
    return "最后由一个 warp 归约 · one warp does the rest"


_SHORT = {"threads": "各线程 · each thread", "shared": "共享内存 · shared", "one": "一个 warp · one warp"}

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
    told, below = "橙线：这一边要补救 · orange: this side is repaired", 24 * style.narrow()
    canvas.text(canvas.width - 24, 32 + below, told, style.SMALL, "mute", "end")
    for child, node in lines:
        start, end = (child[1], top + child[2] * gap + high), (node[1], top + node[2] * gap)
        repaired = child[0][0] != node[0][0]
        canvas.curve(start, end, "c1" if repaired else "mute", line=2.4 if repaired else 1.2)
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
