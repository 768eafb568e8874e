"""Recorded curves: choose device, format and contenders, as bandwidth or as a share of a copy, with a crosshair."""

from dataclasses import replace

from ..figures.curves import bandwidth_curves
from ..language import Text, both
from .base import Explorer, choice, several, steps

_VIEWS = [("GB/s", ""), ("÷ copy", "copy")]
_ROWS = 4096
_FIRST = {"copy", "naive", "torch", "compile", "softmax", "liger", "gems", "quack"}  # ticked; the others can be


def explore_benchmark(measurements=None, *, device=None, dtype=None, providers=None, share_of=None, columns=None):
    """`measurements` are (device, dtype, provider, columns, GB/s); without any, those that are recorded with the course."""
    recorded = measurements is None
    notes: dict[str, Text] = {}
    measurements = [tuple(each) for each in (_recorded(notes) if recorded else measurements)]
    if not measurements:
        raise ValueError(both("没有测量可画。", "There are no measurements to draw."))
    devices, dtypes, names, widths = (list(dict.fromkeys(each[k] for each in measurements)) for k in range(4))
    widths.sort()
    first = [name for name in names if name in _FIRST]

    def draw(device, dtype, providers, share_of, columns):
        curves = {}
        for *where, provider, width, speed in measurements:
            if where == [device, dtype] and provider in {*providers, share_of}:
                curves.setdefault(provider, {})[width] = speed
        if not curves or (share_of and share_of not in curves):
            raise ValueError(both("这样的组合没有记录。", "Nothing was recorded for this combination."))
        title = f"{device}  {dtype}" + (f"  M = {_ROWS}" if recorded else "")
        picture = bandwidth_curves(curves, title=title, share_of=share_of or None, at=columns)
        return replace(picture, note=notes.get(device))

    return Explorer(
        draw,
        device=choice("设备", "device", device or devices[0], devices),
        dtype=choice("数的格式", "number format", dtype or dtypes[0], dtypes),
        providers=several("谁来算", "who computes", providers or (first if recorded else names), names),
        share_of=choice("纵轴", "vertical axis", share_of or "", _VIEWS),
        columns=steps("十字线在 N =", "crosshair at N =", columns or min(widths, key=lambda n: abs(n - 4096)), widths),
    )


def _recorded(notes):
    """What was recorded with 4096 rows, on every device; notes which device is from where."""
    from .. import timing

    for key in timing.devices():
        recording = timing.read("times", key)
        device, date, versions = (recording.provenance.get(each, "?") for each in ("device", "date", "versions"))
        notes[device] = Text(f"录制于 {date}，{versions}。", f"Recorded on {date}, {versions}.")
        for dtype in dict.fromkeys(line.dtype for line in recording.measurements):
            for provider, points in recording.curves(dtype, _ROWS).items():
                yield from ((device, dtype, provider, columns, speed) for columns, speed in sorted(points.items()))
