"""The pictures kept in `images/`: what the README and the prose of the notebooks link to."""

from pathlib import Path

from .course_map import course_map
from .curves import bandwidth_curves
from .flow import memory_flow
from .picture import Picture
from .softmax_pictures import exp_limits, softmax_steps

IMAGES = Path(__file__).resolve().parents[2] / "images"


def speed() -> Picture:
    """What the course arrives at, as measured: the README's first picture."""
    from ..timing import read

    recording = read("times", "h200")
    names = {"copy": "复制 · copy", "naive": "朴素 · naive", "torch": "torch.softmax", "softmax": "课程 · course"}
    curves = recording.curves("float32", 4096)
    device, date = recording.provenance["device"], recording.provenance["date"]
    title = f"softmax  float32  M = 4096  {device}  {date}"
    return bandwidth_curves({names[name]: curves[name] for name in names}, title=title)


GALLERY = {
    "course_map": course_map,
    "exp_limits": exp_limits,
    "memory_fused": lambda: memory_flow(fused=True),
    "memory_naive": memory_flow,
    "softmax_steps": softmax_steps,
    "speed": speed,
}


def draw_all(folder: Path = IMAGES) -> list[Path]:
    """Draws every picture of the gallery into `folder`, and removes from it the SVGs that are no longer drawn."""
    folder.mkdir(exist_ok=True)
    pictures: dict[str, Picture] = {name: draw() for name, draw in GALLERY.items()}
    for old in folder.glob("*.svg"):
        if old.stem not in pictures:
            old.unlink()
    return [picture.save(folder / f"{name}.svg") for name, picture in pictures.items()]
