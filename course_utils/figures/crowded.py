"""More programs than fit on a multiprocessor: times measured, beside a tail that counts as a small grid of its own."""

from .chart import Axis, Curve, chart
from .picture import Picture


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
