"""The pictures kept in `images/`: what the README and the prose of the notebooks link to."""

from pathlib import Path

from course_utils.figures import Picture, speed_curves
from course_utils.figures.style import for_a_phone
from course_utils.language import LANGUAGES
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


GALLERY = {"speed": speed, "reached": reached}


def on_a_page(name: str) -> str:
    """A picture of the gallery in each language, and its form for a phone."""
    with for_a_phone():
        narrow = GALLERY[name]()
    return narrow.html(" phone") + GALLERY[name]().html()


def _files():
    """The SVGs of `images/` by name. 00 has one in both languages; README one for each, and each for a phone, too."""
    with for_a_phone():
        yield "speed", speed().svg()
        yield "stepper.phone", Moving().svg()
        for language in LANGUAGES:
            yield f"reached.{language}.phone", reached().svg(language)
    yield "stepper", Moving().svg()
    for language in LANGUAGES:
        yield f"reached.{language}", reached().svg(language)


def draw_all(folder: Path) -> list[Path]:
    """Draws the gallery into `folder` and removes the SVGs that are no longer drawn; returns what changed."""
    folder.mkdir(exist_ok=True)
    drawn = {folder / f"{name}.svg": f"{svg}\n" for name, svg in _files()}
    gone = [path for path in folder.glob("*.svg") if path not in drawn]
    for path in gone:
        path.unlink()
    new = [path for path, svg in drawn.items() if not path.exists() or path.read_text(encoding="utf-8") != svg]
    for path in new:
        path.write_text(drawn[path], encoding="utf-8")
    return gone + new
