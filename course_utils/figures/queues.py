"""Kernels on a time axis: launches in a queue, and kernels that start early."""

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


# of a launch: what the host does, step by step or taken together, and then the GPU
STEPS = {
    "c1": "1 检查、输出 · 1 checks, output",
    "c3": "2 缓存键 · 2 cache key",
    "c0": "3 打包、驱动 · 3 packing, driver",
}
WHOLE, GPU = {"void": "主机合计 · host in all"}, {"course": "4 GPU"}


def launch_bill(calls) -> Picture:
    """A bar a call: {name: microseconds of the three steps and of the GPU, or of the host in all and of the GPU}."""
    canvas = Canvas(78 + 44 * len(calls))
    narrow, told = style.narrow(), []
    x = canvas.legend(24, 28, STEPS)
    canvas.legend(24 if narrow else x, 52 if narrow else 28, WHOLE | GPU)
    scale = (canvas.width - LEFT - 74) / max(map(sum, calls.values()))
    for k, (name, prices) in enumerate(calls.items()):
        x, y = LEFT, 66 + 44 * k
        canvas.text(LEFT - 10, y + 20, name, style.BODY, "ink", "end", bold=True)
        for colour, us in zip((STEPS if len(prices) == 4 else WHOLE) | GPU, prices, strict=True):
            canvas.rect(x, y, scale * us - 1, 28, colour, round_=2)
            if scale * us > 34:
                canvas.text(
                    x + scale * us / 2, y + 19, f"{us:.1f}", style.SMALL, "ink" if colour == "void" else "on", "middle"
                )
            x += scale * us
        canvas.text(x + 8, y + 19, f"{sum(prices):.1f} µs", style.BODY, "ink")
        told.append(f"{name} {' + '.join(f'{us:.1f}' for us in prices)}")
    told = "; ".join(told)
    return Picture(
        canvas,
        f"一次启动的账单，以微秒计，最后一项是 GPU：{told}",
        f"The bill of a launch in microseconds, the GPU last: {told}",
    )


EARLY_LEFT, EARLY_LANE, HEAD = 110, 24, 34
SETS_UP, WAITS = "mute", "void"


def early_start(places: int = 4) -> Picture:
    """Two kernels one behind the other on a few places of a GPU: the second starts late, or early."""
    ends = [6.0 + 0.5 * k for k in range(places)]
    last, setting_up = max(ends), 0.9
    panels = {}
    for name, begin in (
        ("照常启动 · late", lambda end: last + 0.4),
        ("提前启动 · early", lambda end: end),
    ):
        lanes = {}
        for k, end in enumerate(ends):
            ready = begin(end) + setting_up
            go = max(ready, last)
            lanes[Text(f"位置 {k}", f"place {k}")] = [
                (0, end, "c1", ""),
                (begin(end), ready, SETS_UP, ""),
                (ready, go, WAITS, ""),
                (go, go + 3, "course", ""),
            ]
        panels[name] = lanes
    drawn = _drawn(panels, {"c1": "前一个 kernel · the kernel before", "course": "后一个 · the next"}, True)
    done = [max(end for lane in lanes.values() for _, end, *_ in lane) for lanes in panels.values()]
    return Picture(
        drawn,
        f"前一个 kernel 陆续收尾。照常启动，后一个等它全部结束才开始放置；提前启动，放置好了等着，早 {done[0] - done[1]:.1f} 份时间做完。",
        f"One kernel runs out. Started late, the next is set up only when all of it has ended; started early, it is set up by then "
        f"and waits, and is done {done[0] - done[1]:.1f} units of time sooner.",
    )


MOMENT = 16  # so wide, in microseconds, a moment is drawn
CHAIN = {
    "ABC": Text("三个都等", "all three wait"),
    "AC": Text("B 不等", "B does not wait"),
    "A": Text("B、C 都不等", "neither B nor C waits"),
}


def early_chain(runs) -> Picture:
    """A writes x late, B needs nothing of A, C reads x: what was recorded in `early_chain`, by who waits."""
    panels, zh, en = {}, [], []
    for run in runs:
        who, right = CHAIN[run.waits], f"{run.right} / {run.of}"
        reads = "course" if run.right == run.of else "alarm"
        panels[f"{who.zh}，对 {right} · {who.en}, {right} right"] = {
            "A": [(0, run.a_ends, "c1", f"{run.a_ends:.0f} µs 才写 x · writes x at {run.a_ends:.0f} µs")],
            "B": [(run.b_ends - MOMENT, run.b_ends, "c0", "")],
            "C": [(run.c_begins, run.c_reads, WAITS, ""), (run.c_reads, run.c_reads + MOMENT, reads, "")],
        }
        zh.append(
            f"{who.zh}：A 到 {run.a_ends} µs 结束，B 到 {run.b_ends}；C 从 {run.c_begins} 开始，{run.c_reads} 读，对 {right}"
        )
        en.append(
            f"{who.en}: A ends at {run.a_ends} µs, B at {run.b_ends}; C begins at {run.c_begins}, reads at {run.c_reads}, {right} right"
        )
    legend = {WAITS: "等 · waits", "c0": "B 结束 · B ends", "course": "C 读 · C reads", "alarm": "读早了 · too early"}
    return Picture(
        _drawn(panels, legend), "。".join(zh) + "。", ". ".join(each[0].upper() + each[1:] for each in en) + "."
    )


def _drawn(panels, legend, gaps=False) -> Canvas:
    lanes = len(next(iter(panels.values())))
    high = HEAD + EARLY_LANE * lanes + 12
    canvas = Canvas(high * len(panels) + 40)
    end = max(end for panel in panels.values() for blocks in panel.values() for _, end, *_ in blocks)
    scale = (canvas.width - EARLY_LEFT - 24) / end
    for i, (name, panel) in enumerate(panels.items()):
        top = 8 + i * high
        canvas.text(24, top + 22, name, style.BODY, "ink", bold=True)
        for k, (label, blocks) in enumerate(panel.items()):
            y = top + HEAD + EARLY_LANE * k
            canvas.text(EARLY_LEFT - 10, y + 15, label, style.SMALL, "mute", "end")
            for begin, stop, colour, said in blocks:
                if stop > begin:
                    _early_block(canvas, EARLY_LEFT + scale * begin, y, scale * (stop - begin), colour, said)
    y = high * len(panels) + 24
    x = canvas.legend(24 if style.narrow() else EARLY_LEFT, y, legend)
    if gaps:
        canvas.hatch(x, y - 11, 12, 12, SETS_UP, gap=4)
        x += 18 + canvas.text(x + 18, y, "放置 · set up", style.SMALL, "mute") + 20
        canvas.legend(x, y, {WAITS: "等 · waits"})
    return canvas


def _early_block(canvas, x, y, wide, colour, said):
    if colour == SETS_UP:
        canvas.hatch(x, y, wide - 1, EARLY_LANE - 4, colour, gap=4)
        return
    canvas.rect(x, y, wide - 1, EARLY_LANE - 4, colour, round_=2)
    if said:
        canvas.text(x + wide / 2, y + 15, said, style.SMALL, "on", "middle", fit=wide - 6)
