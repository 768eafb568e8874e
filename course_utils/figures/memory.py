"""Memory: tensors as they lie in it, strides, and the sectors it hands out."""

from ..language import Text
from . import style
from .canvas import Canvas
from .picture import Picture

ROOM, HIGH = 132, 26  # height of one tensor's part of the picture, and of its line of memory


def addresses(shape, strides, start=0):
    """Where each element of a matrix lies, in elements from the beginning of its memory."""
    return [[start + i * strides[0] + j * strides[1] for j in range(shape[1])] for i in range(shape[0])]


def in_memory(**tensors) -> Picture:
    """Each tensor (two dimensions, few elements) above the memory it lives in; a cell shows its address."""
    room = ROOM + 74 * style.narrow()
    canvas = Canvas(room * len(tensors) + 10)
    for k, (name, tensor) in enumerate(tensors.items()):
        _one(canvas, 10 + k * room, name, tensor)
    told = [f"{name} {tuple(t.shape)}, stride {t.stride()}" for name, t in tensors.items()]
    return Picture(canvas, f"在内存里：{'；'.join(told)}。", f"In memory: {'; '.join(told)}.")


def _one(canvas, top, name, tensor):
    shape, strides, start = tuple(tensor.shape), tensor.stride(), tensor.storage_offset()
    size = tensor.untyped_storage().nbytes() // tensor.element_size()
    places = addresses(shape, strides, start)
    owner = {address: row for row, line in enumerate(places) for address in line}
    label = f"shape {shape}    stride {strides}"
    after = 24 + canvas.text(24, top + 18, name, style.BODY, "ink", bold=True)
    canvas.text(after + 14, top + 18, label, style.BODY, "mute")
    small = min(26.0, (ROOM - 40) / shape[0], 150 / shape[1])
    for row, line in enumerate(places):
        for column, address in enumerate(line):
            x, y = 24 + column * small, top + 28 + row * small
            canvas.rect(x, y, small, small, style.counted(row), "paper", line=1.5)
            canvas.text(x + small / 2, y + small / 2 + 5, address, style.SMALL, "on", "middle", fit=small - 6)
    left, y = (24, top + 146) if style.narrow() else (212, top + 60)
    cell = min(32.0, (canvas.width - 24 - left) / size)
    for address in range(size):
        x = left + address * cell
        if address in owner:
            canvas.rect(x, y, cell, HIGH, style.counted(owner[address]), "paper", line=1.5)
        else:
            canvas.rect(x, y, cell, HIGH, "wash", "edge")
        colour = "on" if address in owner else "mute"
        canvas.text(x + cell / 2, y + 18, address, style.SMALL, colour, "middle", fit=cell - 4)
    middle = left + (start + 0.5) * cell
    if shape[1] > 1:
        _jump(canvas, middle, strides[1] * cell, y - 3, -1, Text(f"列 +{strides[1]}", f"column +{strides[1]}"))
    if shape[0] > 1:
        _jump(canvas, middle, strides[0] * cell, y + HIGH + 3, 1, Text(f"行 +{strides[0]}", f"row +{strides[0]}"))


def _jump(canvas, x, far, y, side, label):
    """From an element to its neighbour: up or down, along, and back to the line of memory."""
    out = y + side * 9
    canvas.lines([(x, y), (x, out), (x + far, out)], "mute", line=1.4)
    canvas.arrow((x + far, out), (x + far, y), "mute", line=1.4, head=6)
    canvas.text(x + far + 8, out + 4, label, style.SMALL, "ink")


SECTOR, ITEM = 32, 4  # bytes


def sectors(patterns) -> Picture:
    """A row a pattern: {label: byte addresses of the lanes}. Every sector fetched is a box, what is wanted of it is filled."""
    row, top, left = 78, 48, 24
    canvas, told = Canvas(top + row * len(patterns) + 4), []
    fetched = {label: sorted({each // SECTOR for each in addresses}) for label, addresses in patterns.items()}
    wide = min(44.0, (canvas.width - 2 * left) / max(map(len, fetched.values())))
    cell = (wide - 3) / (SECTOR // ITEM)
    canvas.legend(left, 29, {"read": "用到的 · wanted", "void": "白搬的 · fetched for nothing"})
    for k, (label, addresses) in enumerate(patterns.items()):
        y, found, wanted = top + k * row, fetched[label], {address // ITEM for address in addresses}
        canvas.text(left, y + 16, label, style.BODY, "ink", bold=True)
        share = f"{100 * len(wanted) * ITEM / (len(found) * SECTOR):.3g}%"
        count = f"{len(found)} × {SECTOR} B = {len(found) * SECTOR} B,  {share}"
        canvas.text(canvas.width - left, y + 16, count, style.BODY, "ink", "end", bold=True)
        places = {"void": [], "read": []}
        for n, sector in enumerate(found):
            for item in range(SECTOR // ITEM):
                kind = "read" if sector * SECTOR // ITEM + item in wanted else "void"
                places[kind].append((left + n * wide + item * cell, y + 26, cell, 26))
        for colour, boxes in places.items():
            canvas.rects(boxes, colour)
        for n in range(len(found)):
            canvas.rect(left + n * wide, y + 26, wide - 3, 26, None, "mute", line=0.8)
        told.append((Text.of(label), len(found), share))
    zh = "；".join(f"{label.zh} {count} 个，用上 {share}" for label, count, share in told)
    en = "; ".join(f"{label.en} {count}, {share} used" for label, count, share in told)
    return Picture(canvas, f"一个 warp 要取的 32 字节扇区：{zh}", f"Sectors of 32 bytes that a warp fetches: {en}")
