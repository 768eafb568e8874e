"""A notebook as a page of the site."""

import copy
import re
from html import escape
from pathlib import Path
from urllib.parse import unquote

from bs4 import BeautifulSoup

from course_utils.language import spans

from .. import look
from ..contents import Entry
from ..handout import hosted, pages, plumbing, select
from ..handout.write import bring
from ..live import cell as live
from ..live import judged
from ..player.live import launches_of, name_of
from . import words
from .shell import GLOSSARY, INDEX, Page, address, speak_headings

_GLOSSARY_FILE = re.compile(r"\]\(\.\./GLOSSARY\.md(#[^)]*)?\)")
_CHECK = re.compile(r'^check\("\w+\.(?P<name>\w+)"')


def page(entry: Entry, names: set[str], folder: Path, course: Path) -> Page:
    """`names` are the notebooks of the site; what the text shows or links to is copied into `folder`."""
    notebook = copy.deepcopy(entry.notebook)
    # The page has a switch of its own; what speaks of the notebook's has nothing to speak of.
    notebook.cells = [
        cell for cell in notebook.cells if "switch" not in select.tags(cell) and select.START not in cell.source
    ]
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = _GLOSSARY_FILE.sub(f"]({GLOSSARY})", cell.source)
        elif _CHECK.match(cell.source):
            cell.outputs = []  # it judges what a reader runs; here nothing is run
            cell.metadata.setdefault("tags", []).append("check")
    plumbing.fold(notebook)
    bring(notebook, entry.path.parent, folder, names, course)
    soup = pages.soup_of(notebook, "both")
    main, look_itself = soup.main, look.style()
    styles = [style.get_text() for style in soup.select("head style") if style.get_text() != look_itself]
    headings = speak_headings(main)
    whole(main, headings)
    for identifier, kernel in live.tasks(notebook, launches_of(notebook), name_of).items():
        kernel["task"]["id"] = f"{entry.number}.{identifier}"
        live.put_into(main, identifier, **kernel)
    exercises(main, entry, course)
    words.link(main)
    behind(main)
    pages.in_lines(main)
    return Page(address(entry), entry.title, main, styles, headings, live=True)


def exercises(main: BeautifulSoup, entry: Entry, course: Path) -> None:
    """Each exercise becomes an editor with Check where a page can judge it; below it, once, where else it can be done, and why."""
    file = f"notebooks/{entry.path.name}"
    links = " ".join(f'<a href="{escape(url)}">{label}</a>' for label, url in hosted.ways_in(course, entry.path.name))
    told = set()
    for check in main.select(".celltag_check"):
        name = _CHECK.match(check.select_one("pre").get_text().strip())["name"]
        said = judged.put_into(check, entry.number, name)
        if said in told and judged.exercises.exported(name):
            continue
        told.add(said)
        where = spans(
            f'{said.zh}在 JupyterLab 里打开 <code>{file}</code> 就能做。<a href="{INDEX}#jupyterlab">怎样打开 JupyterLab</a>',
            f'{said.en} In JupyterLab, open <code>{file}</code>. <a href="{INDEX}#jupyterlab">How to open JupyterLab</a>',
        )
        check.append(BeautifulSoup(f'<p class="exercise text">{where} {links}</p>', "html.parser"))


def behind(main: BeautifulSoup) -> None:
    """What is said of a result to be guessed first opens with it."""
    for fold in main.select(".folded.result"):
        for cell in fold.find_parent(class_="jp-Cell").find_next_siblings(limit=2):
            if "jp-MarkdownCell" not in cell["class"] or cell.select_one("h1, h2, h3"):
                break
            fold.append(cell)


def whole(main: BeautifulSoup, headings) -> None:
    """Every link to a place on this page leads to one: a language's words alone were not the heading's."""
    ids = {heading.id for heading in headings}
    for link in main.select('a[href^="#"]'):
        if unquote(link["href"][1:]) not in {unquote(id) for id in ids}:
            link.unwrap()
