"""Numbers as strips of cells: table rows whose cells say by colour, pattern and text what they hold."""

import html

import numpy as np

GAP = '<td class="gap">⋯</td>'
CORNER = '<td class="gap"></td>'  # heads nothing: a screen reader shall not say that it does


def numbers(columns) -> str:
    """The head of a strip: the numbers of its lanes."""
    cells = "".join(CORNER if column is None else f"<th>{column}</th>" for column in columns)
    return f"<tr>{CORNER}{cells}</tr>"


def chosen(count: int, marks, most: int) -> list[int | None]:
    """Which of `count` places to draw: all of a few; else both ends and both sides of each mark, None for a gap."""
    if count <= most:
        return list(range(count))
    wanted = set(range(4)) | {count - 1}
    for mark in sorted(marks):
        near = {place for place in range(mark - 2, mark + 2) if 0 <= place < count}
        if len(wanted | near) <= most:
            wanted |= near
    for place in range(count):  # no mark, no gap that is not needed
        if len(wanted) >= most - 2:
            break
        wanted.add(place)
    places: list[int | None] = []
    for place in sorted(wanted):
        if places and place != places[-1] + 1:
            places.append(None)
        places.append(place)
    return places


def shades(data: np.ndarray):
    """A function from a value to how strongly its cell is coloured: 0 for the smallest in the block, 1 for the largest."""
    if data.dtype == bool:
        return lambda value: None
    finite = data[np.isfinite(data)]
    low, high = (finite.min(), finite.max()) if finite.size else (0, 0)
    return lambda value: (float(value) - float(low)) / (float(high) - float(low)) if high > low else 0.1


def cell(value, shade, kind: str = "", tip: str = "") -> str:
    classes, style = [kind] if kind else [], ""
    if isinstance(value, bool | np.bool_):
        classes.append("yes" if value else "no")
    elif np.isnan(value):
        classes.append("nan")
    elif np.isinf(value):
        classes.append("inf")
    elif kind != "pad":
        style = f' style="--a:{0.08 + 0.6 * shade(value):.2f}"'
    tag = {"pad": "i", "rd": "u", "wr": "b"}.get(kind, "span")
    return f'<td class="{" ".join(classes)}"{style} title="{html.escape(tip or full(value))}"><{tag}>{short(value)}</{tag}></td>'


def full(value) -> str:
    """Six digits of a number: the last ones depend on whose exp it was."""
    return f"{float(value):.6g}" if isinstance(value, float | np.floating) else str(value)


def short(value, most: int = 6) -> str:
    """A number in at most `most` characters, with as many digits as fit."""
    if isinstance(value, bool | np.bool_):
        return "✓" if value else "✗"
    if np.isnan(value):
        return "NaN"
    if np.isinf(value):
        return "∞" if value > 0 else "−∞"
    whole = isinstance(value, int | np.integer)
    texts = [str(value)] * whole + [f"{float(value):.{digits}g}" for digits in (6, 5, 4, 3, 2, 1) if digits < most]
    return next((text for text in texts if len(text) <= most), texts[-1])
