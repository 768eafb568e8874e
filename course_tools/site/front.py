"""The first page: what the README says the course is, what it arrives at, its contents, and how to open it in JupyterLab."""

import re
from html import escape
from pathlib import Path

from bs4 import BeautifulSoup

from course_utils.language import Text

from ..contents import Entry
from ..gallery import speed
from ..handout.pages import PageExporter
from ..handout.select import two
from ..live import own
from .shell import INDEX, Heading, Page, address, in_spans

_CONTENTS = Text("目录", "Contents")
_WRITE = Text(
    "写一个你自己的 kernel，就在网页里运行、单步", "Write a kernel of your own: it runs and steps in the page"
)
_LAB = Text("在 JupyterLab 里运行", "Running it in JupyterLab")


def page(found: list[Entry], course: Path) -> Page:
    readme = (course / "README.md").read_text(encoding="utf-8")
    head, *sections = re.split(r"^## ", readme, flags=re.MULTILINE)
    title = two(head.partition("\n")[0].removeprefix("# "))
    start = next(section.partition("\n")[2] for section in sections if "make lab" in section)
    parts = [
        f"<h1>{in_spans(title)}</h1>",
        *(_text(block) for block in head.split("\n\n")[1:] if not block.startswith(("![", "[", "<"))),
        f'<div class="wide">{speed().html()}</div>',
        f'<p class="text"><a href="{own.FILE}">{in_spans(_WRITE)}</a></p>',
        f'<h2 id="contents">{in_spans(_CONTENTS)}</h2>',
        f'<ol class="lessons">{"".join(map(_lesson, found))}</ol>',
        f'<h2 id="jupyterlab">{in_spans(_LAB)}</h2>',
        *(_text(block) for block in start.split("\n\n") if not block.startswith(("|", "<"))),
    ]
    main = BeautifulSoup(f"<main>{''.join(parts)}</main>", "html.parser").main
    styles = [style.extract().get_text() for style in main.select("style")]
    return Page(INDEX, title, main, styles, [Heading(2, "contents", _CONTENTS), Heading(2, "jupyterlab", _LAB)])


def _lesson(entry: Entry) -> str:
    return (
        f'<li><a href="{address(entry)}"><b>{entry.number}</b> {in_spans(entry.title)}</a>'
        f"<p>{in_spans(entry.question)}</p><small>{in_spans(entry.duration)}</small></li>"
    )


def _text(block: str) -> str:
    """A paragraph of the README: its lines in Chinese, its lines in English, or code."""
    if block.startswith("```"):
        code = "\n".join(block.splitlines()[1:-1])
        return f'<div class="highlight"><pre>{escape(code, quote=False)}</pre></div>'
    lines = {"zh": [], "en": []}
    for line in filter(None, block.splitlines()):
        lines["zh" if re.search("[\u4e00-\u9fff]", line) else "en"].append(line)
    texts = {language: _html("\n".join(each)) for language, each in lines.items() if each}
    return "".join(f'<div class="text" lang="{language}">{text}</div>' for language, text in texts.items())


def _html(markdown: str) -> str:
    return PageExporter(exclude_anchor_links=True).markdown2html(markdown)
