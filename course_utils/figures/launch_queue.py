"""Host and GPU side by side: when each launch is made, when its kernels run, and when the GPU has nothing to do."""

from ..language import Text
from . import style
from .canvas import Canvas
from .picture import Picture
from .units import short

LANE, PANEL, LEFT = 24, 116, 92


def schedule(launches, busy=0.0):
    """Of each launch its host time (begin, end), and of each kernel its GPU time.

    `launches` are pairs: the microseconds that the host takes, and those of every kernel that it hands over with them. The
    GPU takes them in order, none before its launch has been made, and none before the `busy` time at the beginning is over.
    """
    host, gpu, made, free = [], [], 0.0, busy
    for takes, kernels in launches:
        host.append((made, made + takes))
        made += takes
        for kernel in kernels:
            begin = max(free, made)
            free = begin + kernel
            gpu.append((begin, free))
    return host, gpu


def launch_queue(panels, busy=0.0) -> Picture:
    """A panel for each {name: launches}, all to one scale; see `schedule`."""
    plans = {name: schedule(launches, busy) for name, launches in panels.items()}
    end = max(gpu[-1][1] for _, gpu in plans.values())
    canvas = Canvas(12 + PANEL * len(plans))
    scale = (canvas.width - LEFT - 40) / end
    for i, (name, plan) in enumerate(plans.items()):
        _panel(canvas, 34 + i * PANEL, name, *plan, busy, scale)
    said = {name: (gpu[-1][1], _waited(gpu, busy)) for name, (_, gpu) in plans.items()}
    return Picture(
        canvas,
        "主机与 GPU：" + "；".join(f"{n} 到 {short(t)} µs，GPU 等了 {short(w)} µs" for n, (t, w) in said.items()) + "。",
        "Host and GPU: " + "; ".join(f"{n} ends at {short(t)} µs, the GPU waited {short(w)} µs" for n, (t, w) in said.items()) + ".",
        Text("斜线是 GPU 在等主机。", "Hatched: the GPU waits for the host."),
    )  # fmt: skip


def _waits(gpu, busy):
    ends = [busy, *(end for _, end in gpu)]
    return [(end, begin) for end, (begin, _) in zip(ends, gpu) if begin > end]


def _waited(gpu, busy):
    return sum(begin - end for end, begin in _waits(gpu, busy))


def _panel(canvas, top, name, host, gpu, busy, scale):
    canvas.text(24, top - 10, name, style.BODY, "ink", bold=True)
    canvas.text(LEFT - 8, top + 16, "主机 · host", style.SMALL, "mute", "end")
    canvas.text(LEFT - 8, top + LANE + 22, "GPU", style.SMALL, "mute", "end")
    for i, (begin, end) in enumerate(host):
        if end > begin:
            _block(canvas, top, begin, end, scale, "c1", i)
    below = top + LANE + 6
    if busy:
        _block(canvas, below, 0, busy, scale, "void", "忙着 · busy")
    for begin, end in _waits(gpu, busy):
        canvas.hatch(LEFT + scale * begin, below + 2, scale * (end - begin), LANE - 5, "mute")
    for i, (begin, end) in enumerate(gpu):
        _block(canvas, below, begin, end, scale, "course", i)
    canvas.text(LEFT + scale * gpu[-1][1], below + LANE + 14, f"{short(gpu[-1][1])} µs", style.SMALL, "ink", "end")


def _block(canvas, y, begin, end, scale, colour, label):
    x, wide = LEFT + scale * begin, scale * (end - begin)
    canvas.rect(x + 0.5, y + 1, max(wide - 1, 1), LANE - 3, colour, round_=2)
    if wide >= 10:
        canvas.text(
            x + wide / 2, y + 16, label, style.SMALL, "ink" if colour == "void" else "on", "middle", fit=wide - 3
        )
