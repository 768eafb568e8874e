"""Curves: recorded speeds against sizes, a prediction beside what was measured, single runs in their order."""

from statistics import quantiles

from ..language import Text
from . import style
from .chart import Axis, Curve, chart
from .picture import Picture
from .units import seconds, short


def bandwidth_curves(curves, *, title="", share_of=None, at=None, height=440) -> Picture:
    """Curves are {provider: {columns: GB/s}}. `share_of` names the provider that counts as 1; `at` puts a crosshair there."""
    if share_of is not None:
        if share_of not in curves:
            raise ValueError(f"{share_of!r}: {', '.join(curves)}")
        base = curves[share_of]
        curves = {
            name: {n: value / base[n] for n, value in points.items() if n in base} for name, points in curves.items()
        }
    columns = sorted({n for points in curves.values() for n in points})
    top = max(value for points in curves.values() for value in points.values())
    loose = {n for n in columns if n % 4}  # another matter: dots beside the curves
    dense = len(columns) - len(loose) > 30
    text = _percent if share_of else short
    at = at if at in columns else None

    def drawn(name, points):
        colour, where = style.provider(name), max(points) if at is None else at
        late = name.endswith(" late")
        return Curve(
            name,
            {n: value for n, value in points.items() if n not in loose},
            colour,
            text(points[where]) if where in points else "–",
            line=3.5 if colour == "course" and not late else 2,
            dash="6 4" if colour == "copy" else "2 3" if late else None,
            dots=0 if dense else 4,
            beside={n: value for n, value in points.items() if n in loose},
        )

    dots = ("（点：4 不整除 N）", " (dots: 4 does not divide N)") if loose else ("", "")
    frame = chart(
        [drawn(name, points) for name, points in curves.items()],
        Axis(f"列数 N{dots[0]} · columns N{dots[1]}", columns[0], columns[-1], log=2),
        Axis(f"÷ {share_of}" if share_of else "GB/s", 0, top * 1.05, text=text),
        title,
        height=height,
        at=at,
    )
    if at is not None:
        frame.mark(at, f"N = {at}")
    where = columns[-1] if at is None else at
    found = sorted(((p[where], n) for n, p in curves.items() if where in p), reverse=True)
    listed = ", ".join(f"{n} {_percent(v) if share_of else f'{v:.0f} GB/s'}" for v, n in found)
    return Picture(frame.canvas, f"{title}；N = {where} 时：{listed}", f"{title}; at N = {where}: {listed}")


def _percent(value):
    return f"{value:.0%}"


def with_tail(launched: int, fits: int, times) -> float:
    """Microseconds if full rounds of `fits` programs are followed by the rest, each at the speed that so many reach alone."""
    rest = launched % fits
    return ((launched - rest) * times[fits] + (rest * times[rest] if rest else 0)) / launched


def crowded(times, fits, *, title="") -> Picture:
    """`times` are {programs launched for each multiprocessor: microseconds}, all with the same rows to share."""
    told = {launched: with_tail(launched, fits, times) for launched in times if launched >= fits}
    most, shown = max(times), {launched: us for launched, us in times.items() if launched >= fits // 2}
    frame = chart(
        [
            Curve("尾部当成小 grid，算出 · tail as a small grid, predicted", told, "c1", dots=0, dash="6 4"),
            Curve("实测 · measured", shown, "ink", line=0, dots=5),
        ],
        Axis(
            "每个 SM 启动的 program 数 · programs launched for each SM",
            fits // 2 - 0.5,
            most + 0.5,
            ticks=[fits // 2, *(n + k for n in range(fits, most, fits) for k in (0, 1)), most],
            text=str,
        ),
        Axis(
            "µs", 0.9 * min(shown.values()), 1.05 * max(shown.values())
        ),  # the teeth, which a scale from 0 would flatten
        title,
        height=400,
    )
    off = max(abs(told[launched] / times[launched] - 1) for launched in told)
    best, next_one = times[fits], times[fits + 1]
    return Picture(
        frame.canvas,
        f"{title}：{fits} 个 {best:.0f} µs，{fits + 1} 个 {next_one:.0f} µs；算出的与实测最多差 {off:.0%}。",
        f"{title}: {fits} take {best:.0f} µs, {fits + 1} take {next_one:.0f} µs; the prediction is off by at most {off:.0%}.",
    )


def placing_cost(us, programs) -> Picture:
    """`us` are {programs: microseconds} of kernels that do nothing; the line through them is drawn on to `programs`."""
    first, last = min(us), max(us)
    each = (us[last] - us[first]) / (last - first)
    told = us[first] + each * (programs - first)
    frame = chart(
        [
            Curve(
                "每个 program 的开销不变 · every program costs the same",
                {0: us[first] - each * first, programs: told},
                "c1",
                dots=0,
                dash="6 4",
            ),
            Curve("空 kernel，实测 · empty kernel, measured", us, "ink", line=0, dots=5),
        ],
        Axis(
            "program 数 · programs", 0, 1.04 * programs, ticks=[*(n for n in us if n > 10 * first), programs], text=str
        ),
        Axis("µs", 0, 1.1 * told),
        height=380,
    )
    x, y = frame.at(programs, told)
    frame.canvas.text(x - 8, y - 8, f"{programs}: {told:.0f} µs", style.SMALL, "ink", "end", bold=True)
    return Picture(
        frame.canvas,
        f"空 kernel 的用时是一条直线，每个 program {1000 * each:.2f} ns；{programs} 个要 {told:.0f} µs。",
        f"The times of empty kernels lie on a line, {1000 * each:.2f} ns for each program; {programs} take {told:.0f} µs.",
    )


def short_rows(row, stay, tile, threshold) -> Picture:
    """Shares of the best copy, {bytes that a row moves: share}, of a program a row, of rows one after another and side by
    side. In the time that a program takes to place, memory moves `threshold` bytes."""
    sizes = sorted(row)
    low, high = sizes[0] / 1.3, sizes[-1] * 1.2
    model = {x: x / threshold for k in range(41) if (x := low * (threshold / low) ** (k / 40))} | {high: 1.0}
    frame = chart(
        [
            Curve("放置的开销，算出 · placing, predicted", model, "c7", dots=0, dash="6 4"),
            Curve("一行一个 program · a program a row", row, "naive", line=0, dots=7),
            Curve("一行接一行 · one after another", stay, "c5", line=1.5, dots=5),
            Curve("几行并排 · side by side", tile, "course", line=1.5, dots=5),
        ],
        Axis("一行搬的字节数 · bytes that a row moves", low, high, log=2, ticks=sizes, text=lambda n: str(round(n))),
        Axis("÷ 复制 · of a copy", 0, 1.08),
        "H100",
        height=420,
    )
    frame.mark(threshold, f"{threshold:.0f} B", y=1.0)
    zh = "；".join(f"{n} B：{row[n]:.2f}、{stay[n]:.2f}、{tile[n]:.2f}" for n in sizes)
    en = "; ".join(f"{n} B: {row[n]:.2f}, {stay[n]:.2f}, {tile[n]:.2f}" for n in sizes)
    return Picture(
        frame.canvas,
        f"达到复制速度的几成，依次为一行一个 program、一行接一行、几行并排。{zh}。",
        f"Share of a copy's speed, for a program a row, rows one after another, rows side by side. {en}.",
    )


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


def speed_curves(curves, x: str, y: str, *, title="", ceiling=None, low=0.0, text=None, ranges=False) -> Picture:
    """Curves are {way: {size: speed}}, sizes on a logarithmic axis; `ceiling` is (name, speed), a dashed line across.

    The description tells each curve's last value, or its lowest and highest (`ranges`).
    """
    sizes = sorted({n for points in curves.values() for n in points})
    top = max([v for points in curves.values() for v in points.values()] + [ceiling[1] if ceiling else 0])
    text = text or (lambda speed: f"{speed:.0f}")
    drawn = [
        Curve(
            name,
            points,
            style.provider(Text.of(name).en),
            text(points[max(points)]),
            line=3.5 if "course" in Text.of(name).en else 2,
        )
        for name, points in curves.items()
    ]
    if ceiling:
        line = {sizes[0]: ceiling[1], sizes[-1]: ceiling[1]}
        drawn.append(Curve(ceiling[0], line, "mute", text(ceiling[1]), dash="6 4", dots=0))
    frame = chart(drawn, Axis(x, sizes[0], sizes[-1], log=2), Axis(y, low, top * 1.04), title, height=400)
    told = [(Text.of(curve.name), _told(curve.points, sizes[-1], text, ranges)) for curve in drawn]
    zh = "，".join(f"{name.zh} {value}" for name, value in told)
    en = ", ".join(f"{name.en} {value}" for name, value in told)
    if ranges:
        return Picture(frame.canvas, f"{title}，最低到最高：{zh}", f"{title}, lowest to highest: {en}")
    name = Text.of(x)
    return Picture(
        frame.canvas, f"{title}；{name.zh} = {sizes[-1]} 时：{zh}", f"{title}; at {name.en} = {sizes[-1]}: {en}"
    )


def _told(points, last, text, ranges) -> str:
    if ranges:
        return f"{text(min(points.values()))} … {text(max(points.values()))}"
    return text(points[max(points)]) + ("" if max(points) == last else f" ({max(points)})")


def timing_in_order(times) -> Picture:
    """Every single measurement as a dot, in the order in which they were made: [seconds, …]."""
    times = list(map(float, times))
    frame = chart(
        [],
        Axis("第几次启动 · number of the launch", 0, len(times)),
        Axis("用时 · time", 0, max(times) * 1.06, text=_seconds),
        height=340,
    )
    frame.curve(Curve("", dict(enumerate(times)), "course", line=0, dots=3))
    tens = [(first, times[first : first + 10]) for first in range(0, len(times), 10)]
    told = ", ".join(f"{first}–{first + len(ten) - 1}: {seconds(_quartiles(ten)[1])}" for first, ten in tens)
    return Picture(
        frame.canvas,
        f"每次启动一个点，每十次的中位数：{told}",
        f"A dot a launch; the median of every ten: {told}",
    )


def _quartiles(times) -> list[float]:
    return quantiles(times, n=4, method="inclusive") if len(times) > 1 else list(times) * 3


def _seconds(time: float) -> str:
    return seconds(time) if time else "0"
