"""Arrays drawn as grids of cells: broadcasting with the shapes in sight."""

from . import style
from .canvas import Canvas
from .picture import Picture
from .units import short

CELL = 34


def grid(canvas, x, y, rows, cols, fill, values=None, *, real=None, cell=CELL):
    """Cells of an array; those outside the `real` (rows, columns) are copies that broadcasting pretends are there."""
    for r in range(rows):
        for c in range(cols):
            ghost = real is not None and (r >= real[0] or c >= real[1])
            left, top = x + c * cell, y + r * cell
            if ghost:
                canvas.rect(left, top, cell, cell, "paper", fill, dash="3 3", line=1.2)
            else:
                canvas.rect(left, top, cell, cell, fill, "paper", line=1.5)
            if values is not None:
                text = short(values[r][c]) if isinstance(values[r][c], (int, float)) else values[r][c]
                canvas.text(
                    left + cell / 2,
                    top + cell / 2 + 5,
                    text,
                    style.BODY,
                    "mute" if ghost else "on",
                    "middle",
                    fit=cell - 6,
                )


def broadcast(left, right, operator="−", names=("x", "m", "z")) -> Picture:
    """Two arrays (nested lists, or just shapes as tuples) and how the smaller stretches to meet the larger."""
    a, b = _Array(left), _Array(right)
    fits = all(p == q or 1 in (p, q) for p, q in zip(a.shape, b.shape, strict=True))
    rows, cols = max(a.rows, b.rows), max(a.cols, b.cols)
    gap, margin = 68, 28
    width_of = [cols * CELL if fits else n.cols * CELL for n in (a, b)] + ([cols * CELL] if fits else [190])
    canvas = Canvas(
        max(margin * 2 + sum(width_of) + 2 * gap, 420),
        58 + rows * CELL + (38 if fits and min(a.cols, b.cols) < cols else 26),
    )
    top, x = 58, (canvas.width - sum(width_of) - 2 * gap) / 2
    for k, (array, fill) in enumerate(((a, "c0"), (b, "c1"))):
        middle = x + width_of[k] / 2
        canvas.text(middle, 34, f"{names[k]}  {array.label}", style.BODY, "ink", "middle", bold=True)
        if fits:
            grid(canvas, x, top, rows, cols, fill, array.stretched(rows, cols), real=(array.rows, array.cols))
        else:
            grid(canvas, x, top + (rows - array.rows) * CELL / 2, array.rows, array.cols, fill, array.values)
        if fits and array.cols < cols:
            canvas.arrow(
                (x + CELL * 1.2, top + rows * CELL + 16), (x + cols * CELL - 4, top + rows * CELL + 16), "mute"
            )
        if fits and array.rows < rows:
            canvas.arrow((x - 12, top + CELL * 1.2), (x - 12, top + rows * CELL - 4), "mute")
        x += width_of[k] + gap
        sign = operator if k == 0 else ("=" if fits else "→")
        canvas.text(x - gap / 2, top + rows * CELL / 2 + 8, sign, 24, "ink", "middle")
    if fits:
        result = _combine(a, b, rows, cols, operator)
        label = f"{names[2]}  [{rows}, {cols}]"
        canvas.text(x + width_of[2] / 2, 34, label, style.BODY, "ink", "middle", bold=True)
        grid(canvas, x, top, rows, cols, "c2", result)
        zh, en = f"得到 [{rows}, {cols}]", f"gives [{rows}, {cols}]"
    else:
        middle = x + width_of[2] / 2
        p, q = next((p, q) for p, q in zip(a.shape[::-1], b.shape[::-1], strict=True) if p != q and 1 not in (p, q))
        canvas.text(middle, top + rows * CELL / 2 - 8, f"{p} ≠ {q}", 20, "alarm", "middle", bold=True)
        canvas.text(middle, top + rows * CELL / 2 + 16, "不能广播", style.BODY, "alarm", "middle", bold=True)
        canvas.text(middle, top + rows * CELL / 2 + 34, "cannot broadcast", style.SMALL, "alarm", "middle")
        zh, en = f"{p} ≠ {q}，不能广播", f"cannot broadcast: {p} ≠ {q}"
    return Picture(canvas, f"{a.label} {operator} {b.label}：{zh}", f"{a.label} {operator} {b.label} {en}")


class _Array:
    """A shape of one or two dimensions, and its values where they are given."""

    def __init__(self, given):
        if isinstance(given, tuple):
            self.shape, self.values = given, None
        else:
            flat = not isinstance(given[0], (list, tuple))
            self.shape = (len(given),) if flat else (len(given), len(given[0]))
            self.values = [list(given)] if flat else [list(row) for row in given]
        self.label = f"[{', '.join(map(str, self.shape))}]"
        self.shape = (1,) * (2 - len(self.shape)) + tuple(self.shape)
        self.rows, self.cols = self.shape

    def stretched(self, rows, cols):
        if self.values is None:
            return None
        return [[self.values[r % self.rows][c % self.cols] for c in range(cols)] for r in range(rows)]


def _combine(a, b, rows, cols, operator):
    if a.values is None or b.values is None:
        return None
    do = {"−": lambda p, q: p - q, "÷": lambda p, q: p / q, "+": lambda p, q: p + q, "×": lambda p, q: p * q}[operator]
    left, right = a.stretched(rows, cols), b.stretched(rows, cols)
    return [[do(left[r][c], right[r][c]) for c in range(cols)] for r in range(rows)]
