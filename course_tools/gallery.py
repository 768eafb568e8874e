"""The pictures kept in `images/`: what the README and the prose of the notebooks link to."""

from pathlib import Path

from course_utils.figures import Picture, speed_curves
from course_utils.figures.style import for_a_phone
from course_utils.measurements import times

from .moving import Moving

_CURVES = {
    "copy": "复制 · copy",
    "softmax late": "这门课 · this course",
    "torch": "torch",
}


def speed() -> Picture:
    """What the course arrives at, beside what PyTorch has and what a copy takes: 00's picture."""
    return _beside_a_copy(_CURVES)


def reached() -> Picture:
    """The same for somebody who has just come, and asks about the compiler too."""
    return _beside_a_copy(_CURVES | {"compile": "torch.compile"})


def _beside_a_copy(names) -> Picture:
    found = times.sweep("sustained").curves("float32")
    curves = {name: {n: gbs for n, gbs in found[who].items() if n % 4 == 0} for who, name in names.items()}
    title = "softmax, 4096 × N, NVIDIA H100"
    return speed_curves(curves, "列数 N · columns N", "GB/s", title=title, height=340)


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
