"""The slides of a talk, for a browser and for RISE. They need no network: reveal.js lies beside this file."""

import copy
import math
import re
from pathlib import Path

import nbformat
from bs4 import BeautifulSoup
from nbconvert.exporters import SlidesExporter

from .. import look
from . import pages
from . import write as handout
from .mark import LONG, ROWS
from .talk import talk

REVEAL = Path(__file__).parent / "reveal"


class _Exporter(pages.Formulas, SlidesExporter):
    exclude_anchor_links = True


def page(notebook, language: str, number: str) -> str:
    soup = pages.soup_of(
        notebook,
        language,
        _Exporter,
        "course_slides",
        style=look.style(pages.TEMPLATES / "course_slides" / "slides.css"),
        reveal_css=(REVEAL / "reveal.css").read_text(),
        scripts=[(REVEAL / name).read_text() for name in ("reveal.js", "notes.js")],
    )
    soup.html["style"] = f"--lesson: '{number}'"
    for fragment in soup.select(".fragment"):  # what comes after the guess is the result, not the code
        code = fragment.select_one(".jp-CodeCell .jp-Cell-inputWrapper")
        if code and code.select(".highlight"):
            fragment.insert_before(code.extract())
            code.wrap(soup.new_tag("div", attrs={"class": "jp-Cell jp-CodeCell"}))
    for pre in soup.select("section > section .highlight pre"):
        _go_on(pre)
    for table in soup.select("section table"):
        if len(table.select("tbody tr")) > ROWS:
            _halve(table, soup)
    pages.in_lines(soup)
    return str(soup)


def _halve(table, soup) -> None:
    """A table with more rows than a slide has room for stands there as two, side by side."""
    table.wrap(soup.new_tag("div", attrs={"class": "halves"})).append(other := copy.copy(table))
    middle = len(table.select("tbody tr")) // 2
    for row in [*table.select("tbody tr")[middle:], *other.select("tbody tr")[:middle]]:
        row.decompose()


def _go_on(pre) -> None:
    """Code longer than a slide goes on on the next, from the line farthest left near the middle, with all that follows it."""
    lines = pre.decode_contents().strip("\n").split("\n")
    if len(lines) <= LONG + 2:
        return
    text = pre.get_text().strip("\n").split("\n")
    middle = len(lines) // math.ceil(len(lines) / LONG)
    cut = min(range(middle - 4, middle + 5), key=lambda k: (len(text[k]) - len(text[k].lstrip()), abs(k - middle)))
    cell, slide = pre.find_parent(class_="jp-Cell"), pre.find_parent("section")
    title, code, rest = (copy.copy(each) for each in (slide.select_one(".jp-Cell"), cell, slide))
    rest.clear()
    slide.insert_after(rest)
    for part, kept in ((pre, lines[:cut]), (code.select_one("pre"), lines[cut:])):
        inside = "\n".join(kept).strip("\n")
        part.replace_with(BeautifulSoup(f"<pre>{inside}</pre>", "html.parser"))
    rest.extend([title, code, *list(cell.next_siblings)])
    for output in cell.select(".jp-Cell-outputWrapper"):
        output.decompose()
    for named in title.select("[id]"):
        del named["id"]
    _go_on(code.select_one("pre"))


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
    html.write_text(page(notebook, language, path.stem[:2]), encoding="utf-8")
    return [html, target]
