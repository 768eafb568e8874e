"""Choose a matrix and a device: how many bytes, how long at least, and how far from the arithmetic's limit."""

import contextlib

from ..figures.roofline import roofline
from ..hardware import DEVICES, find
from ..language import both
from ..measurements import devices, times
from .base import Explorer, choice, steps

_SIZES = {"float32": 4, "bfloat16": 2, "float16": 2}
_ROWS = [2**k for k in range(0, 18)]
_COLUMNS = [128, 256, 512, 781, 1024, 2048, 4096, 8192, 12672, 16384, 32768, 65536, 131072]


def _bandwidth(device) -> tuple[float, tuple[str, str]]:
    """GB/s of the fastest copy recorded on this device or, with no recording, its data sheet's."""
    for name in devices("times"):
        recording = times.sweep("sustained", name)
        with contextlib.suppress(LookupError):  # a device that the table does not know
            if find(recording.provenance["device"]) is device:
                copies = (line.bandwidth for line in recording.lines if line.provider == "copy")
                return max(copies), ("复制", "copy")
    return device.bandwidth, ("数据手册", "data sheet")


def explore_traffic(rows=4096, cols=4096, dtype="float32", device="H200") -> Explorer:
    """Naive softmax against fused: bytes, the time they take at the speed of a copy (or the data sheet's), and the roofline."""
    known = [each.name for each in DEVICES if each.bandwidth and each.fp32]
    device = find(device).name
    if device not in known:
        raise ValueError(
            both(
                f"没有 {device} 的带宽或算力数据；可选：{'、'.join(known)}。",
                f"No bandwidth or peak is known for {device}; choose one of {', '.join(known)}.",
            )
        )

    def draw(rows, cols, dtype, device):
        chosen = find(device)
        bandwidth, told = _bandwidth(chosen)
        return roofline(
            rows, cols, _SIZES[dtype],
            bandwidth=bandwidth * 1e9, peak=chosen.fp32 * 1e12, device=chosen.name, cache=chosen.cache, told=told,
        )  # fmt: skip

    return Explorer(
        draw,
        rows=steps("行数 M", "rows M", rows, sorted({*_ROWS, rows})),
        cols=steps("列数 N", "columns N", cols, sorted({*_COLUMNS, cols})),
        dtype=choice("数的格式", "number format", dtype, list(_SIZES)),
        device=choice("设备", "device", device, known),
    )
