"""The pictures kept in `images/`: what the README and the prose of the notebooks link to."""

from pathlib import Path

from .course_map import course_map
from .flow import memory_flow
from .picture import Picture
from .softmax_pictures import exp_limits, softmax_steps

IMAGES = Path(__file__).resolve().parents[2] / "images"

GALLERY = {
    "course_map": course_map,
    "exp_limits": exp_limits,
    "memory_fused": lambda: memory_flow(fused=True),
    "memory_naive": memory_flow,
    "softmax_steps": softmax_steps,
}


def draw_all(folder: Path = IMAGES) -> list[Path]:
    """Draws every picture of the gallery into `folder`, and removes from it the SVGs that are no longer drawn."""
    folder.mkdir(exist_ok=True)
    pictures: dict[str, Picture] = {name: draw() for name, draw in GALLERY.items()}
    for old in folder.glob("*.svg"):
        if old.stem not in pictures:
            old.unlink()
    return [picture.save(folder / f"{name}.svg") for name, picture in pictures.items()]
