"""When every SM was done with its rows: until its first program ends, until its last, and then idle until the kernel ends."""

from . import style
from .canvas import Canvas
from .chart import Axis, Frame
from .picture import Picture

HIGH, APART = 150, 64  # of a panel; between two


def finishes(panels) -> Picture:
    """`panels` are {title: SMs}, each with `first_us` and `last_us`; the SM that is done first stands on top."""
    canvas = Canvas(78 + len(panels) * (HIGH + APART))
    end = 1.04 * max(sm.last_us for sms in panels.values() for sm in sms)
    axis = Axis("", 0, end, text=lambda us: f"{us:.0f} µs")
    x = canvas.legend(24, 36, {"c0": "SM 还满 · the SM is full", "c1": "有 program 做完了 · some programs are done"})
    canvas.hatch(x, 25, 18, 13, "mute", gap=4)
    canvas.text(x + 24, 36, "SM 闲着 · the SM is idle", style.SMALL, "mute")
    for k, (title, sms) in enumerate(panels.items()):
        top = 78 + k * (HIGH + APART)
        plot = Frame(canvas, 80, top, style.WIDTH - 40, top + HIGH, axis, Axis("", len(sms), 0, ticks=[]))
        canvas.text(24, top - 12, title, style.BODY, "ink", bold=True, fit=canvas.width - 48)
        sms = sorted(sms, key=lambda sm: (sm.first_us + sm.last_us, sm.sm))
        end = max(sm.last_us for sm in sms)
        left, tall = plot.left, HIGH / len(sms)
        canvas.hatch(left, top, plot.at(end, 0)[0] - left, HIGH, "mute", gap=7)
        for until, colour in (("last_us", "c1"), ("first_us", "c0")):
            stairs = [
                (plot.at(getattr(sm, until), 0)[0], top + (i + j) * tall) for i, sm in enumerate(sms) for j in (0, 1)
            ]
            canvas.lines([(left, top), *stairs, (left, top + HIGH)], None, fill=colour)
        plot.line([(end, 0), (end, len(sms))], "ink", line=1.5, dash="4 3")
        canvas.text(left - 8, top + HIGH / 2, f"{len(sms)} SM", style.SMALL, "mute", "end")
    ends = {title: sorted(sm.last_us for sm in sms) for title, sms in panels.items()}
    return Picture(
        canvas,
        "；".join(f"{title}：最先闲下来的 SM 在 {us[0]:.0f} µs，最后的在 {us[-1]:.0f} µs" for title, us in ends.items())
        + "。",
        "; ".join(
            f"{title}: the first SM is idle at {us[0]:.0f} µs, the last at {us[-1]:.0f} µs"
            for title, us in ends.items()
        )
        + ".",
    )
