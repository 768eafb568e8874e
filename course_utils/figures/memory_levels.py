"""Where data lives on a GPU, drawn to scale: areas are bytes."""

from ..hardware import chip_of, find
from ..language import Text
from . import style
from .canvas import Canvas
from .picture import Picture
from .units import size

SIDE = 236.0  # of the square that stands for the whole memory


def memory_levels(device="H200") -> Picture:
    """Device memory, L2, and the registers and shared memory of all SMs together, as squares whose areas are bytes."""
    gpu, chip = find(device), chip_of(device)
    small = [
        ("L2", gpu.cache, "c1"),
        ("寄存器 · registers", chip.registers * 4 * gpu.multiprocessors, "c2"),
        ("共享内存 · shared", chip.shared * gpu.multiprocessors, "c3"),
    ]
    side = [SIDE * (nbytes / gpu.memory) ** 0.5 for _, nbytes, _ in small]
    canvas = Canvas(400)
    left, base = 24.0, 330.0
    canvas.rect(left, base - SIDE, SIDE, SIDE, "c0", round_=4)
    canvas.text(left + SIDE / 2, base - SIDE / 2, "显存 · memory", style.TITLE, "on", "middle", bold=True)
    canvas.text(left + SIDE / 2, base - SIDE / 2 + 22, size(gpu.memory), style.BODY, "on", "middle")

    # The three at the same scale: dots. Then the same three under a glass.
    x, glass = left + SIDE + 26, base - 20
    for edge, (_, _, colour) in zip(side, small, strict=True):
        canvas.rect(x, base - edge, edge, edge, colour)
        x += edge + 5
    middle = x - sum(side) / 2 - 8
    canvas.circle(middle, base - 3, 25, None, "mute", line=1.2)
    canvas.lines([(middle + 14, base - 24), (x + 36, glass - 150)], "mute", line=1, dash="3 3")
    canvas.lines([(middle + 14, base + 18), (x + 36, base + 8)], "mute", line=1, dash="3 3")
    x += 46
    zoom = (canvas.width - x - 24 - 2 * 12) // sum(side)
    canvas.text(x - 40, base + 52, Text(f"边长 × {zoom:g}", f"sides × {zoom:g}"), style.SMALL, "mute")
    for edge, (label, nbytes, colour) in zip(side, small, strict=True):
        edge *= zoom
        canvas.rect(x, base - edge, edge, edge, colour, round_=3)
        canvas.text(x + edge / 2, base - edge / 2 + 5, size(nbytes), style.SMALL, "on", "middle", fit=edge - 8)
        canvas.text(x + edge / 2, base + 24, label, style.SMALL, "ink", "middle")
        x += edge + 12
    canvas.text(24, 40, f"{gpu.name}", style.TITLE, "ink", bold=True)
    canvas.text(24, 62, "面积按字节数成比例 · areas are in proportion to bytes", style.SMALL, "mute")
    sizes = [size(nbytes) for _, nbytes, _ in small]
    return Picture(
        canvas,
        f"{gpu.name}：显存 {size(gpu.memory)}，L2 {sizes[0]}，全部寄存器 {sizes[1]}，全部共享内存 {sizes[2]}",
        f"{gpu.name}: device memory {size(gpu.memory)}, L2 {sizes[0]}, all registers {sizes[1]}, all shared memory {sizes[2]}",
    )
