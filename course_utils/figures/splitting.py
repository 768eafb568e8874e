"""From which width on a row is better split over two GPUs."""

from ..language import Text
from .chart import Axis, Curve, chart
from .picture import Picture

TOP = 2.0  # of the picture


def split_or_not(one, model, **ways) -> Picture:
    """{columns: µs} on one GPU, predicted for two, and in each way that was measured on two, as shares of one GPU's time."""
    colours = ("course", "c1", "c2")
    curves = [Curve(Text("预测", "predicted"), _shares(model, one, TOP), "mute", dash="6 4", dots=0)]
    curves += [
        Curve(name.replace("_", " "), _shares(us, one, TOP), colour)
        for (name, us), colour in zip(ways.items(), colours)
    ]
    columns = sorted(one)
    frame = chart(
        curves,
        Axis(Text("列数", "columns"), columns[0], columns[-1], log=2),
        Axis(Text("÷ 一张 GPU 的用时", "÷ time of one GPU"), 0, TOP),
        Text("两张 GPU 的用时 ÷ 一张的", "time of two GPUs ÷ time of one"),
    )
    (x0, y), (x1, _) = frame.at(columns[0], 1), frame.at(columns[-1], 1)
    frame.canvas.lines([(x0, y), (x1, y)], "ink", line=1.5)
    zh = en = "; ".join(
        f"{name.replace('_', ' ')}: " + ", ".join(f"{n} {share:.2f}" for n, share in _shares(us, one).items())
        for name, us in ways.items()
    )
    return Picture(frame.canvas, f"两张 GPU ÷ 一张。{zh}", f"Two GPUs ÷ one. {en}")


def _shares(us, one, most: float = float("inf")) -> dict:
    """What lies above the picture is left out of it, and told in words."""
    return {n: us[n] / one[n] for n in one if us[n] <= most * one[n]}
