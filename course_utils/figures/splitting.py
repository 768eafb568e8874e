"""What it gains to split rows over GPUs: over two by width, and over more and more of them."""

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


def gpu_scaling(predicted, **ways) -> Picture:
    """{number of GPUs: µs}, predicted and in each way that was measured: how many times as fast as one, for any numbers of GPUs."""
    gpus = sorted(set(predicted).union(*ways.values()))
    curves = [Curve(Text("GPU 的块数", "number of GPUs"), {n: n for n in gpus}, "ink", line=1, dots=0)]
    curves.append(Curve(Text("预测", "predicted"), _gains(predicted), "mute", dash="6 4", dots=3))
    for (name, us), colour in zip(ways.items(), ("c1", "c2", "course")):
        curves.append(Curve(name.replace("_", " "), _gains(us), colour))
    frame = chart(
        curves,
        Axis(Text("GPU 的块数", "GPUs"), 1, gpus[-1], log=2),
        Axis(Text("一块的用时 ÷ 用时", "time of one ÷ time"), 0, gpus[-1]),
        Text("快了多少倍", "how many times as fast"),
    )
    told = [", ".join(f"{n} {gain:.2f}" for n, gain in _gains(us).items()) for us in (predicted, *ways.values())]
    measured = "; ".join(f"{name.replace('_', ' ')}: {said}" for name, said in zip(ways, told[1:]))
    zh, en = f"GPU 的块数和倍数。预测：{told[0]}；{measured}", f"GPUs and speed-up. Predicted: {told[0]}; {measured}"
    return Picture(frame.canvas, zh, en)


def _gains(us) -> dict:
    return {n: us[1] / us[n] for n in sorted(us)}


def _shares(us, one, most: float = float("inf")) -> dict:
    """What lies above the picture is left out of it, and told in words."""
    return {n: us[n] / one[n] for n in one if us[n] <= most * one[n]}
