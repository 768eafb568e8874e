"""Why many short rows are slow: what placing programs takes, and three ways to share out rows against the bytes of a row."""

from . import style
from .chart import Axis, Curve, chart
from .picture import Picture


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
