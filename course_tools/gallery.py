"""The pictures kept in `images/`: what the README and the prose of the notebooks link to."""

from functools import partial
from pathlib import Path

from course_utils.figures import Picture, bandwidth_curves, course_map
from course_utils.measurements import times

from .contents import Entry, map_places
from .moving import Moving

_ALL = {
    "copy": "最好的复制 · the best copy",
    "softmax": "课程 · course",
    "softmax late": "课程，不提前启动 · course, late",
    **{peer: peer for peer in times.PEERS},
}
_FEW = {
    "copy": "复制 · copy",
    "softmax late": "这门课 · this course",
    "compile": "torch.compile",
    "torch": "torch",
}


def speed() -> Picture:
    """What the course arrives at, beside everybody who is nearly as fast: 00's picture."""
    recording, drawn = _speeds(_ALL)
    return bandwidth_curves(drawn, title=f"softmax  float32  M = 4096  sustained  {recording.provenance['device']}")


def reached() -> Picture:
    """The same for somebody who has just come: what one has without the course, and what one has with it."""
    _, drawn = _speeds(_FEW)
    whole = {name: {n: v for n, v in points.items() if n % 4 == 0} for name, points in drawn.items()}
    return bandwidth_curves(whole, title="softmax, 4096 × N, NVIDIA H100", height=340)


def _speeds(names):
    recording = times.sweep("sustained")
    curves = recording.curves("float32")
    return recording, {name: curves[who] for who, name in names.items() if who in curves}


def gallery(found: list[Entry]) -> dict:
    """What draws each picture, by its name; `found` are the notebooks."""
    return {"course_map": partial(course_map, map_places(found)), "speed": speed, "reached": reached, "stepper": Moving}


def draw_all(folder: Path, found: list[Entry]) -> list[Path]:
    """Draws the gallery into `folder` and removes the SVGs that are no longer drawn; returns what changed."""
    folder.mkdir(exist_ok=True)
    pictures, changed = gallery(found), []
    for old in folder.glob("*.svg"):
        if old.stem not in pictures:
            old.unlink()
            changed.append(old)
    for name, draw in pictures.items():
        path = folder / f"{name}.svg"
        before = path.read_bytes() if path.exists() else b""
        draw().save(path)
        if path.read_bytes() != before:
            changed.append(path)
    return changed
