"""What was recorded, under a person's hand: the benchmark's curves, bytes on a roofline, the cache around one launch."""

import contextlib
from dataclasses import replace

from ..figures import cache_state
from ..figures.curves import bandwidth_curves
from ..figures.gradient import SIZES
from ..figures.picture import Picture
from ..figures.roofline import roofline
from ..hardware import DEVICES, find
from ..language import Text, both
from ..pretend_gpu import PretendGPU, Work
from .base import Explorer, choice, several, steps

_VIEWS = [("GB/s", ""), ("÷ copy", "copy")]
_ROWS = 4096


def explore_contest(who: str = "tile") -> Explorer:
    """Everybody of the contest as a share of the best copy, `who` among them; and on every device that was recorded."""
    from ..measurements import provenance, times

    offered = ["copy", who, *times.PEERS]
    notes: dict[tuple[str, str], Text] = {}
    measurements = list(_recorded(notes, offered))
    devices, states, dtypes, names, widths = (list(dict.fromkeys(each[k] for each in measurements)) for k in range(5))
    names = [name for name in names if name in offered[1:]]  # the copy is always there

    def draw(device, state, dtype, providers, share_of, columns):
        curves = {}
        for *where, provider, width, speed in measurements:
            if where == [device, state, dtype] and provider in {*providers, "copy"}:
                curves.setdefault(provider, {})[width] = speed
        if not curves or (share_of and share_of not in curves):
            raise ValueError(both("这样的组合没有记录。", "Nothing was recorded for this combination."))
        title = "  ".join((device, state, dtype, f"M = {_ROWS}"))
        picture = bandwidth_curves(curves, title=title, share_of=share_of or None, at=columns)
        return replace(picture, note=notes[device, state])

    return Explorer(
        draw,
        device=choice("设备", "device", provenance("times", times.RULED)["device"], devices),
        state=choice("缓存的状态", "state of the cache", "sustained", states),
        dtype=choice("数的格式", "number format", "float32", dtypes),
        providers=several("谁来算", "who computes", names, names),
        share_of=choice("纵轴", "vertical axis", "copy", _VIEWS),
        columns=steps("十字线在 N =", "crosshair at N =", 1024, sorted(widths)),
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
    needed = {"torch", "triton", *offered}
    return ", ".join(each for each in versions.split(", ") if needed & set(each.split()[0].split("-")))


_HEIGHTS = [2**k for k in range(0, 18)]
_WIDTHS = [128, 256, 512, 781, 1024, 2048, 4096, 8192, 12672, 16384, 32768, 65536, 131072]


def _bandwidth(device) -> tuple[float, Text]:
    """GB/s of the fastest copy recorded on this device or, with no recording, its data sheet's."""
    from ..measurements import devices, times

    for name in devices("times"):
        recording = times.sweep("sustained", name)
        with contextlib.suppress(LookupError):  # a device that the table does not know
            if find(recording.provenance["device"]) is device:
                copies = (line.bandwidth for line in recording.lines if line.provider == "copy")
                return max(copies), Text("复制", "copy")
    return device.bandwidth, Text("数据手册", "data sheet")


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
            rows, cols, SIZES[dtype],
            bandwidth=bandwidth * 1e9, peak=chosen.fp32 * 1e12, device=chosen.name, cache=chosen.cache, told=told,
        )  # fmt: skip

    return Explorer(
        draw,
        rows=steps("行数 M", "rows M", rows, sorted({*_HEIGHTS, rows})),
        cols=steps("列数 N", "columns N", cols, sorted({*_WIDTHS, cols})),
        dtype=choice("数的格式", "number format", dtype, list(SIZES)),
        device=choice("设备", "device", device, known),
    )


SHAPE = {"provider": "row", "dtype": "float32", "columns": 1024}
NBYTES = 4096 * 1024 * 4  # of that shape's input, and of its output


def softmax_on(i: int) -> Work:
    """A launch with an input and an output of its own."""
    return Work("softmax", NBYTES, reads=f"x{i}", writes=f"y{i}")


def watch_cache(state: str, prepare) -> Picture:
    """`prepare(gpu)` brings the pretend GPU into the `state`; beside it what was counted on a real one in that state."""
    from ..measurements import provenance, recorded
    from ..measurements.bench.call import spoken_of

    named = spoken_of("states")
    device = provenance("states", named)["device"]
    gpu = PretendGPU(cache=find(device).cache)
    prepare(gpu)
    before = gpu.cached
    gpu.launch(softmax_on(0))
    (line,) = recorded("states", named, **SHAPE, state=state)
    moved = {"模型 · model": (gpu.read_bytes, gpu.written_bytes)}
    moved[f"{device.split()[1]} 计数器 · {device.split()[1]} counters"] = line.read_bytes, line.written_bytes
    return cache_state(before, gpu.cached, moved, title=state)
