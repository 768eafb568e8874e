"""What is around every page of the site: the bar with the switches and the search, contents, previous and next."""

import re
from dataclasses import dataclass, field
from functools import cache
from html import escape
from pathlib import Path

import jinja2
from bs4 import BeautifulSoup

from course_utils.language import Text, spans

from .. import look
from ..contents import NUMBER, Entry
from ..handout.select import two

INDEX, GLOSSARY, OWN, ARCHIVE = "index.html", "glossary.html", "your_kernel.html", "softmax-course.zip"
OWN_TITLE = Text("你自己的 kernel", "Your own kernel")
HERE = Path(__file__).parent
# Four cells of memory: one read, one written, one done, one masked off.
ICON = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath fill='%2356b4e9' d='M1 1h6v6H1z'/%3E"
    "%3Cpath fill='%23e69f00' d='M9 1h6v6H9z'/%3E%3Cpath fill='%23009e73' d='M1 9h6v6H1z'/%3E%3Cpath fill='%23999' d='M9 9h6v6H9z'/%3E%3C/svg%3E"
)


@dataclass
class Heading:
    level: int
    id: str
    text: Text


@dataclass
class Page:
    file: str
    title: Text
    main: BeautifulSoup
    styles: list[str] = field(default_factory=list)
    headings: list[Heading] = field(default_factory=list)
    live: bool = False  # whether it has kernels that run

    @property
    def number(self) -> str:
        """Of a lesson: 03, A1."""
        found = re.match(NUMBER + "(?=_)", self.file)
        return found[0] if found else ""


def address(entry: Entry) -> str:
    return f"{entry.path.stem}.html"


def in_spans(text: Text) -> str:
    return spans(escape(text.zh, quote=False), escape(text.en, quote=False))


def speak_headings(main: BeautifulSoup) -> list[Heading]:
    """Puts the two languages of each heading into spans of their own; returns what a table of contents lists."""
    found = []
    for heading in main.select("h1, h2, h3"):
        anchor = heading.select_one(".anchor-link")
        if anchor:
            anchor.extract()
            anchor["aria-label"] = "链接到这里 · link to this place"
        text = two(heading.get_text())
        if text.zh != text.en:
            heading.clear()
            heading.append(BeautifulSoup(in_spans(text), "html.parser"))
        if anchor:
            heading.append(anchor)
        found.append(Heading(int(heading.name[1]), heading.get("id", ""), text))
    for summary in main.select("summary:not(:has(*))"):
        text = two(summary.get_text())
        summary.clear()
        summary.append(BeautifulSoup(in_spans(text), "html.parser"))
    return found


@cache
def _template() -> jinja2.Template:
    environment = jinja2.Environment(
        autoescape=False, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined
    )
    environment.filters |= {"said": in_spans, "attribute": lambda text: escape(f"{text.zh} · {text.en}")}
    return environment.from_string((HERE / "assets" / "page.html.j2").read_text(encoding="utf-8"))


def shell(page: Page, before=None, after=None) -> str:
    """The whole page. `before` and `after` are (address, title)."""
    contents = [heading for heading in page.headings if heading.level in (2, 3) and heading.id]
    return _template().render(
        page=page, contents=contents, before=before, after=after,
        start=look.start(), icon=ICON, index=INDEX, glossary=GLOSSARY, own=OWN, own_title=OWN_TITLE, Text=Text,
    )  # fmt: skip
