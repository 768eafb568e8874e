"""Recorded curves: choose GPU, state of the cache, format and contenders, as bandwidth or share of a copy, with a crosshair."""

from dataclasses import replace

from ..figures.curves import bandwidth_curves
from ..language import Text, both
from .base import Explorer, choice, several, steps

_VIEWS = [("GB/s", ""), ("÷ copy", "copy")]
_ROWS = 4096
_FIRST = {"copy", "naive", "torch", "compile", "softmax", "liger", "gems", "quack"}  # ticked; the others can be


def explore_benchmark(
    measurements=None, *, device=None, state=None, dtype=None, providers=None, offered=None, share_of=None, columns=None
):
    """`measurements` are (device, state of the cache, dtype, provider, columns, GB/s); without any, those that are recorded
    with the course. `providers` are drawn at first, `offered` can be ticked; if it is not given, all can."""
    recorded = measurements is None
    notes: dict[tuple[str, str], Text] = {}
    measurements = [tuple(each) for each in (_recorded(notes, offered) if recorded else measurements)]
    if not measurements:
        raise ValueError(both("没有测量可画。", "There are no measurements to draw."))
    devices, states, dtypes, names, widths = (list(dict.fromkeys(each[k] for each in measurements)) for k in range(5))
    widths.sort()
    names = [name for name in names if offered is None or name in offered]
    first = [name for name in names if name in _FIRST]

    def draw(device, state, dtype, providers, share_of, columns):
        curves = {}
        for *where, provider, width, speed in measurements:
            if where == [device, state, dtype] and provider in {*providers, share_of}:
                curves.setdefault(provider, {})[width] = speed
        if not curves or (share_of and share_of not in curves):
            raise ValueError(both("这样的组合没有记录。", "Nothing was recorded for this combination."))
        title = "  ".join(filter(None, (device, state, dtype, f"M = {_ROWS}" if recorded else "")))
        picture = bandwidth_curves(curves, title=title, share_of=share_of or None, at=columns)
        return replace(picture, note=notes.get((device, state)))

    return Explorer(
        draw,
        device=choice("设备", "device", device or devices[0], devices),
        state=choice("缓存的状态", "state of the cache", state or states[0], states),
        dtype=choice("数的格式", "number format", dtype or dtypes[0], dtypes),
        providers=several("谁来算", "who computes", providers or (first if recorded else names), names),
        share_of=choice("纵轴", "vertical axis", share_of or "", _VIEWS),
        columns=steps("十字线在 N =", "crosshair at N =", columns or min(widths, key=lambda n: abs(n - 4096)), widths),
    )


def _recorded(notes, offered):
    """What was recorded with 4096 rows, on every device in every state; notes where each recording is from."""
    from ..measurements import devices, times

    for key in devices("times"):
        for state in times.STATES:
            recording = times.sweep(state, key)
            device, date, versions = (recording.provenance.get(each, "?") for each in ("device", "date", "versions"))
            versions = _on_offer(versions, offered)
            notes[device, state] = Text(f"录制于 {date}，{versions}。", f"Recorded on {date}, {versions}.")
            for dtype in dict.fromkeys(line.dtype for line in recording.lines):
                for provider, points in recording.curves(dtype, _ROWS).items():
                    yield from ((device, state, dtype, provider, n, speed) for n, speed in sorted(points.items()))


def _on_offer(versions, offered):
    """Of "torch 2.11.0, helion 1.2.0" those libraries that the curves on offer rest on."""
    if offered is None:
        return versions
    needed = {"torch", "triton", *offered}
    return ", ".join(each for each in versions.split(", ") if needed & set(each.split()[0].split("-")))
