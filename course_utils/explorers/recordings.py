"""What was recorded, under a person's hand: the benchmark's curves, and the cache around one launch."""

from dataclasses import replace

from ..figures import cache_state
from ..figures.curves import bandwidth_curves
from ..figures.picture import Picture
from ..hardware import find
from ..language import Text, both
from ..measurements import devices, provenance, recorded, times
from ..pretend_gpu import PretendGPU, Work
from .base import Explorer, choice, several, steps

_VIEWS = [("GB/s", ""), ("÷ copy", "copy")]
_ROWS = 4096


def explore_contest(who: str = "tile") -> Explorer:
    """Everybody of the contest as a share of the best copy, `who` among them; and on every device that was recorded."""
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
        device=choice("设备", "device", provenance("times")["device"], devices),
        state=choice("缓存的状态", "state of the cache", "sustained", states),
        dtype=choice("数的格式", "number format", "float32", dtypes),
        providers=several("谁来算", "who computes", names, names),
        share_of=choice("纵轴", "vertical axis", "copy", _VIEWS),
        columns=steps("十字线在 N =", "crosshair at N =", 1024, sorted(widths)),
    )


def _recorded(notes, offered):
    """What was recorded with 4096 rows, on every device in every state; notes where each recording is from."""
    for key in devices("times"):
        for state in times.STATES:
            recording = times.sweep(state, key)
            device, date, versions = (recording.provenance.get(each, "?") for each in ("device", "date", "versions"))
            versions = _on_offer(versions, offered)
            notes[device, state] = Text(f"录制于 {date}，{versions}。", f"Recorded on {date}, {versions}.")
            for dtype in dict.fromkeys(line.dtype for line in recording.lines):
                for provider, points in recording.curves(dtype).items():
                    yield from ((device, state, dtype, provider, n, speed) for n, speed in sorted(points.items()))


def _on_offer(versions, offered):
    """Of "torch 2.11.0, helion 1.2.0" those libraries that the curves on offer rest on."""
    needed = {"torch", "triton", *offered}
    return ", ".join(each for each in versions.split(", ") if needed & set(each.split()[0].split("-")))


SHAPE = {"provider": "row", "dtype": "float32", "columns": 1024}
NBYTES = 4096 * 1024 * 4  # of that shape's input, and of its output


def softmax_on(i: int) -> Work:
    """A launch with an input and an output of its own."""
    return Work("softmax", NBYTES, reads=f"x{i}", writes=f"y{i}")


def watch_cache(state: str, prepare) -> Picture:
    """`prepare(gpu)` brings the pretend GPU into the `state`; beside it what was counted on a real one in that state."""
    device = provenance("states")["device"]
    gpu = PretendGPU(cache=find(device).cache)
    prepare(gpu)
    before = gpu.cached
    gpu.launch(softmax_on(0))
    (line,) = recorded("states", **SHAPE, state=state)
    moved = {"模型 · model": (gpu.read_bytes, gpu.written_bytes)}
    moved[f"{device.split()[1]} 计数器 · {device.split()[1]} counters"] = line.read_bytes, line.written_bytes
    return cache_state(before, gpu.cached, moved, title=state)
