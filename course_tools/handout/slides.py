"""The slides of a talk, for a browser and for RISE. They need no network: reveal.js lies beside this file."""

import re
from pathlib import Path

import nbformat
from nbconvert.exporters import SlidesExporter

from .. import look
from . import pages
from . import write as handout
from .talk import talk

REVEAL = Path(__file__).parent / "reveal"


class _Exporter(pages.Formulas, SlidesExporter):
    exclude_anchor_links = True


def page(notebook, language: str) -> str:
    soup = pages.soup_of(
        notebook,
        language,
        _Exporter,
        "course_slides",
        style=look.style(pages.TEMPLATES / "course_slides" / "slides.css"),
        reveal_css=(REVEAL / "reveal.css").read_text(),
        scripts=[(REVEAL / name).read_text() for name in ("reveal.js", "notes.js")],
    )
    return str(soup)


def write(path: Path, folder: Path, language: str, names: set[str]) -> list[Path]:
    """The talk of one notebook into `folder`: slides for a browser, and a notebook for RISE."""
    notebook = talk(nbformat.read(path, as_version=4), language)
    handout.bring(notebook, path.parent, folder, names)
    for cell in notebook.cells:
        if cell.cell_type == "markdown":  # from talk to talk
            cell.source = re.sub(r"(?<=\]\()([^)#\s/]+)\.ipynb", r"\1.slides.ipynb", cell.source)
    target = folder / f"{path.stem}.slides.ipynb"
    notebook.metadata[handout.MARK] = {"language": language, "slides": True}
    nbformat.write(notebook, target)
    html = folder / f"{path.stem}.slides.html"
    html.write_text(page(notebook, language), encoding="utf-8")
    return [html, target]
