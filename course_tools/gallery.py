"""The pictures kept in `images/`: what the README and the prose of the notebooks link to."""

from pathlib import Path

from course_utils.figures import Picture, bandwidth_curves, contest
from course_utils.figures.style import for_a_phone
from course_utils.measurements import times

from .moving import Moving

_OWN = "这门课 · this course"
_ALL = {
    "copy": "copy",
    "softmax late": _OWN,
    **{peer: peer for peer in times.PEERS},
    "softmax": "提前 · early",
}
_FEW = {
    "copy": "复制 · copy",
    "softmax late": _OWN,
    "compile": "torch.compile",
    "torch": "torch",
}


def speed() -> Picture:
    """What the course arrives at, beside everybody who is nearly as fast: 00's picture."""
    recording, drawn = _speeds(_ALL)
    return contest(drawn, _OWN, title=f"softmax  float32  sustained  {recording.provenance['device']}")


def reached() -> Picture:
    """The same for somebody who has just come: what one has without the course, and what one has with it."""
    _, drawn = _speeds(_FEW)
    whole = {name: {n: v for n, v in points.items() if n % 4 == 0} for name, points in drawn.items()}
    return bandwidth_curves(whole, title="softmax, 4096 × N, NVIDIA H100", height=340)


def _speeds(names):
    recording = times.sweep("sustained")
    curves = recording.curves("float32")
    return recording, {name: curves[who] for who, name in names.items() if who in curves}


GALLERY = {"speed": speed, "reached": reached, "stepper": Moving}


def on_a_page(name: str) -> str:
    """A picture of the gallery in each language, and its form for a phone."""
    with for_a_phone():
        narrow = GALLERY[name]()
    return narrow.html(" phone") + GALLERY[name]().html()


def draw_all(folder: Path) -> list[Path]:
    """Draws the gallery into `folder` and removes the SVGs that are no longer drawn; returns what changed.

    A file is narrow: GitHub shows it on phones as well, in both languages, and its letters are to be read there.
    """
    folder.mkdir(exist_ok=True)
    changed = []
    for old in folder.glob("*.svg"):
        if old.stem not in GALLERY:
            old.unlink()
            changed.append(old)
    for name, draw in GALLERY.items():
        path = folder / f"{name}.svg"
        before = path.read_bytes() if path.exists() else b""
        with for_a_phone():
            draw().save(path)
        if path.read_bytes() != before:
            changed.append(path)
    return changed
