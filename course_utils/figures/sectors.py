"""What a warp's 32 addresses cost: memory hands out sectors of 32 bytes, whole or not at all."""

from ..language import Text
from . import style
from .canvas import Canvas
from .picture import Picture

SECTOR = 32  # bytes


def touched(addresses, itemsize=4) -> dict[int, set[int]]:
    """{sector: which of its elements are wanted}, for items at these byte addresses."""
    found: dict[int, set[int]] = {}
    for address in addresses:
        found.setdefault(address // SECTOR, set()).add(address % SECTOR // itemsize)
    return dict(sorted(found.items()))


def sectors(patterns, itemsize=4) -> Picture:
    """A row a pattern: {label: byte addresses of the lanes}. Every sector fetched is a box, what is wanted of it is filled."""
    patterns = {label: touched(addresses, itemsize) for label, addresses in patterns.items()}
    row, top, left = 78, 48, 24
    canvas = Canvas(top + row * len(patterns) + 4)
    most = max(len(found) for found in patterns.values())
    wide = min(44.0, (canvas.width - 2 * left) / most)
    each = SECTOR // itemsize
    canvas.legend(left, 29, {"read": "用到的 · wanted", "void": "白搬的 · fetched for nothing"})
    told = []
    for k, (label, found) in enumerate(patterns.items()):
        y = top + k * row
        used = sum(map(len, found.values())) * itemsize
        canvas.text(left, y + 16, label, style.BODY, "ink", bold=True)
        share = f"{100 * used / (len(found) * SECTOR):.3g}%"
        count = f"{len(found)} × {SECTOR} B = {len(found) * SECTOR} B,  {share}"
        canvas.text(canvas.width - left, y + 16, count, style.BODY, "ink", "end", bold=True)
        cell = (wide - 3) / each
        places = {"void": [], "read": []}
        for n, wanted in enumerate(found.values()):
            for item in range(each):
                places["read" if item in wanted else "void"].append((left + n * wide + item * cell, y + 26, cell, 26))
        for colour, boxes in places.items():
            canvas.rects(boxes, colour)
        for n in range(len(found)):
            canvas.rect(left + n * wide, y + 26, wide - 3, 26, None, "mute", line=0.8)
        told.append((Text.of(label), len(found), share))
    zh = "；".join(f"{label.zh} {count} 个，用上 {share}" for label, count, share in told)
    en = "; ".join(f"{label.en} {count}, {share} used" for label, count, share in told)
    return Picture(canvas, f"一个 warp 要取的 32 字节扇区：{zh}", f"Sectors of 32 bytes that a warp fetches: {en}")
