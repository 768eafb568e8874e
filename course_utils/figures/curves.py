"""Recorded measurements as curves against the number of columns: bandwidth, or a share of a copy."""

from . import style
from .chart import Axis, Curve, chart
from .picture import Picture
from .units import short


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
