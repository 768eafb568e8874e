"""Recorded curves: choose device, format and contenders, as bandwidth or as a share of a copy, with a crosshair."""

from ..figures.curves import bandwidth_curves
from ..language import both
from .base import Explorer, choice, several, steps

_VIEWS = [("GB/s", ""), ("÷ copy", "copy")]


def explore_benchmark(
    measurements, *, device=None, dtype=None, providers=None, share_of=None, columns=None
) -> Explorer:
    """`measurements` are (device, dtype, provider, columns, GB/s); what is not chosen starts at the first, or at all."""
    measurements = [tuple(each) for each in measurements]
    devices, dtypes, names, widths = (list(dict.fromkeys(each[k] for each in measurements)) for k in range(4))

    def draw(device, dtype, providers, share_of, columns):
        curves = {}
        for *where, provider, width, speed in measurements:
            if where == [device, dtype] and provider in {*providers, share_of}:
                curves.setdefault(provider, {})[width] = speed
        if not curves or (share_of and share_of not in curves):
            raise ValueError(both("这样的组合没有记录。", "Nothing was recorded for this combination."))
        return bandwidth_curves(curves, title=f"{device}  {dtype}", share_of=share_of or None, at=columns)

    return Explorer(
        draw,
        device=choice("设备", "device", device or devices[0], devices),
        dtype=choice("数的格式", "number format", dtype or dtypes[0], dtypes),
        providers=several("谁来算", "who computes", providers or names, names),
        share_of=choice("纵轴", "vertical axis", share_of or "", _VIEWS),
        columns=steps("十字线在 N =", "crosshair at N =", columns or sorted(widths)[len(widths) // 2], sorted(widths)),
    )
