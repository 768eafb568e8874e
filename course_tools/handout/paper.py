"""A handout as a page that can also be printed: a running title, page numbers, room to write, and no answer unless asked for.

What print.css hides is only marked here; on a screen a handout is a page like any other.
"""

import copy
import re
from pathlib import Path

import nbformat
from bs4 import BeautifulSoup

from course_utils.language import spans

from .. import glossary
from ..contents import entries
from . import pages, plumbing
from .select import ASKS, one

STYLE = Path(__file__).parent / "templates" / "course_page" / "print.css"
GLOSSARY = "glossary.html"
_TOLD = (re.compile(r"✓ 你选了 [A-F]，"), ""), (re.compile(r"✓ You chose [A-F]; the"), "The")  # nobody chose on paper
_LEAST, _MOST = 5, 18  # lines to write on, below an exercise


def _running(soup: BeautifulSoup, title: str) -> None:
    """The style of the printed page, with the title that stands at the top of each sheet."""
    quoted = title.replace("\\", "\\\\").replace('"', '\\"')
    style = soup.new_tag("style")
    style.string = f'{STYLE.read_text(encoding="utf-8")}@page {{ @top-left {{ content: "{quoted}"; }} }}\n'
    soup.head.append(style)


def _blank(soup: BeautifulSoup, lines: int, said: str = ""):
    room = soup.new_tag("div", attrs={"class": "room", "aria-hidden": "true"})
    room.append(BeautifulSoup(said + lines * "<i></i>", "html.parser"))
    return room


def _behind(cell) -> list:
    """What stands below a question as far as the next heading or question and gives the answer away: results, and all words but
    those that ask the next question."""
    cells, asked = [], False
    for following in cell.find_next_siblings("div"):
        if following.select_one("h1, h2, h3, .prediction"):
            asked = following.select_one(".prediction") is not None
            break
        cells.append(following)
    asks = cells[-2:] if asked else []
    found = [part for each in cells for part in each.select(".jp-Cell-outputWrapper, .folded.result")]
    for each in cells:
        if "jp-MarkdownCell" in each.get("class", []):
            found += _before_it_asks(each) if each in asks else [each]
    return found


def _asked_above(cell) -> bool:
    """Whether a folded result is to be guessed by what the text says, with no options to choose from."""
    texts = [each for each in cell.find_previous_siblings("div", limit=2) if "jp-MarkdownCell" in each["class"]]
    return any(ASKS.search(text.get_text()) for text in texts)


def _before_it_asks(cell) -> list:
    """The paragraphs before the one that says "Predict"."""
    parts = cell.select("div[lang] > *")
    first = next((k for k, part in enumerate(parts) if ASKS.search(part.get_text())), 0)
    return parts[:first]


def _without_answers(soup: BeautifulSoup, lengths: list[int]) -> None:
    for question in soup.select(".prediction, .folded.result"):
        cell = question.find_parent(class_="jp-Cell")
        if "prediction" in question["class"]:
            gives_away = _behind(cell)
        elif "behind" not in question["class"] and _asked_above(cell):
            gives_away = [cell.find_next_sibling("div").select_one("div[lang] > *") or question]
        else:
            continue
        for following in gives_away:
            following["class"] = [*following.get("class", []), "behind"]
        why = spans("为什么？运行之后：", "Why? And once it has run:")
        cell.insert_after(_blank(soup, 3, why))
    for stub, length in zip(soup.select(".celltag_exercise"), lengths, strict=True):
        check = stub.find_next_sibling("div")
        check["class"] = [*check["class"], "behind"]
        stub.insert_after(_blank(soup, min(max(_LEAST, length + length // 3), _MOST)))


def _with_answers(soup: BeautifulSoup) -> None:
    for said in soup.select(".prediction details b"):
        for pattern, instead in _TOLD:
            said.string = pattern.sub(instead, said.get_text())


def page(notebook, language: str, answers: bool, lengths: list[int] = ()) -> str:
    """`lengths` are those of the answers, in lines: so much room there is to write them."""
    notebook = copy.deepcopy(notebook)
    plumbing.fold(notebook)
    soup = pages.soup_of(notebook, language)
    _with_answers(soup) if answers else _without_answers(soup, list(lengths))
    soup.body["class"] = ["jp-Notebook", "answers" if answers else "no-answers"]
    pages.tidy(soup, language)  # of what was put in, one language as well
    _running(soup, pages.title(notebook))
    return str(soup)


def write_glossary(folder: Path, language: str, names: set[str]) -> Path:
    """Where a handout's glossary links lead: the glossary as a page, its links among the notebooks of this handout."""

    def linked(match) -> str:
        return f"[{match[1]}]({match[2]})" if match[2] in names else match[1]

    text = re.sub(r"\[(\w+)\]\(notebooks/([^)]+)\)", linked, glossary.page(entries()))
    text = re.sub(r"\| ([^|\n]*)<br>([^|\n]*) \|", lambda said: f"| {spans(said[1], said[2])} |", text)
    text = text.replace("一句话 · In one sentence", one("一句话 · In one sentence", language))
    head, *sections = re.split(r"\n(?=## )", text)
    title, zh, en = head.strip().replace("\n\n", "\n").split("\n")
    said = [title, *(f'<div lang="{tag}">\n\n{text}\n\n</div>' for tag, text in (("zh", zh), ("en", en)))]
    for section in sections:
        said += section.split("\n\n", 1)
    cells = [nbformat.v4.new_markdown_cell(one(text, language) if text[0] == "#" else text) for text in said]
    written = folder / GLOSSARY
    written.write_text(page(nbformat.v4.new_notebook(cells=cells), language, True), "utf-8")
    return written
