"""A handout as a page that can also be printed: a running title, page numbers, room to write, and no answer unless asked for.

What print.css hides is only marked here; on a screen a handout is a page like any other.
"""

import copy
import re
from itertools import takewhile
from pathlib import Path

import nbformat
from bs4 import BeautifulSoup

from course_utils.lab import EXERCISE, HEADING, TOLD
from course_utils.language import spans

from .. import glossary
from ..contents import entries
from . import pages, plumbing
from .select import ASKS, leads_on, one

STYLE = Path(__file__).parent / "templates" / "course_page" / "print.css"
GLOSSARY = "glossary.html"
_TOLD = (re.compile(r"✓ 你选了 [A-F]，"), ""), (re.compile(r"✓ You chose [A-F]; the"), "The")  # nobody chose on paper
_GREYS = (
    ("56b4e9", "d8edfa"),
    ("e69f00", "eeb02b"),
    ("009e73", "2f9f7c"),
)  # rows that a printer with no colour tells apart
_LEAST, _MOST = 6, 10  # lines to write on, below an exercise
_LONG = 12  # lines of code that a sheet may break
_SHORT = 600  # letters of a text that goes to the next sheet as a whole


def _running(soup: BeautifulSoup, title: str) -> None:
    """The style of the printed page, with the title that stands at the top of each sheet."""
    quoted = title.replace("\\", "\\\\").replace('"', '\\"')
    style = soup.new_tag("style")
    style.string = f'{STYLE.read_text(encoding="utf-8")}@page {{ @top-left {{ content: "{quoted}"; }} }}\n'
    soup.head.append(style)


def _blank(soup: BeautifulSoup, *said: str):
    """Lines to write on, and what each begins with."""
    room = soup.new_tag("div", attrs={"class": "room", "aria-hidden": "true"})
    room.append(BeautifulSoup("".join(f"<i>{each}</i>" for each in said), "html.parser"))
    return room


def _opens(cell) -> bool:
    """Whether a part of the lesson begins here, and what waits for an answer ends."""
    told = cell.select_one(TOLD)
    return bool(cell.select_one(HEADING) or told and re.match(EXERCISE, told.get_text()))


def _behind(cell) -> list:
    """What stands below a question as far as the next part or question and gives the answer away: results, and all words but
    those that ask the next question or lead to code."""
    cells, asked = [], False
    for following in cell.find_next_siblings("div"):
        if _opens(following) or following.select_one(".prediction") or _asked_above(following):
            asked = not _opens(following)
            break
        cells.append(following)
    asks = cells[-2:] if asked else []
    found = [part for each in cells for part in each.select(".jp-Cell-outputWrapper, .folded.result")]
    said = answered = False
    for each in cells:
        if "jp-MarkdownCell" not in each.get("class", []):
            answered = said
            continue
        said, parts = True, each.select("div[lang] > *")
        kept = _asking(parts) if each in asks else _leading(parts, answered)
        found += parts[:kept] if kept < len(parts) else [each]
    return found


def _asked_above(cell) -> bool:
    """Whether a folded result is to be guessed by what the text right above it says, with no options to choose from."""
    shown = [each for each in cell.find_previous_siblings("div", limit=3) if "jp-mod-noOutputs" not in each["class"]]
    texts = takewhile(lambda each: "jp-MarkdownCell" in each["class"], shown[:2])
    return bool(cell.select(".folded.result") and any(ASKS.search(text.get_text()) for text in texts))


def _happens(cell):
    """The code whose result answers a question: the first one below its options."""
    for following in cell.find_next_siblings("div") if cell.select(".prediction") else ():
        if _opens(following) or following.select_one(".prediction"):
            break
        if following.select_one(".jp-Cell-inputWrapper .highlight:not(.folded *)") and following.select(
            ".jp-Cell-outputWrapper"
        ):
            return following
    return cell


def _asking(parts) -> int:
    """Which paragraph says "Predict"; with none that does, all of them ask."""
    return next((k for k, part in enumerate(parts) if ASKS.search(part.get_text())), 0)


def _leading(parts, answered: bool) -> int:
    """Which paragraph leads to code: the last one, but never the first of a text that holds the answer."""
    leads = parts[0 if answered else 1 :] and leads_on(parts[-1].get_text())
    return len(parts) - bool(leads)


def _hide(parts) -> None:
    for part in parts:
        part["class"] = [*part.get("class", []), "behind"]


def _without_answers(soup: BeautifulSoup, lengths: list[int]) -> None:
    for cell in soup.select("main > .jp-Cell:has(.prediction, .folded.result)"):
        if cell.select(".prediction") or _asked_above(cell):
            _hide(_behind(cell))
            _happens(cell).insert_after(_blank(soup, spans("结果：", "What happened:"), ""))
            cell.insert_after(_blank(soup, spans("为什么？", "Why?"), ""))
    for stub, length in zip(soup.select(".celltag_exercise"), lengths, strict=True):
        _hide([stub.find_next_sibling("div")])
        asked = [*takewhile(lambda each: each.select("div[lang]"), stub.find_previous_siblings("div", limit=2))][::-1]
        box = stub.wrap(soup.new_tag("div", attrs={"class": "box"}))
        box.append(_blank(soup, *[""] * min(max(_LEAST, length + length // 3), _MOST)))
        box.wrap(soup.new_tag("div", attrs={"class": "together"}))
        for text in asked:
            box.insert_before(text)
    _recap(soup)


def _recap(soup: BeautifulSoup) -> None:
    """What was found out is for the learner to write; the next question stands."""
    heading = next(each for each in soup.select("h2") if re.search("小结|Recap", each.get_text()))
    cell = heading.find_parent(class_="jp-Cell")
    texts = [part for each in cell.find_next_siblings("div") for part in each.select("div[lang] > *")]
    _hide(part for part in texts if not re.match("下一个问题|The next question", part.get_text()))
    end = cell.wrap(soup.new_tag("div", attrs={"class": "together"}))
    end.append(_blank(soup, spans("用你自己的话：", "In your own words:"), "", "", "", ""))
    end.extend([*end.find_next_siblings("div")])


def _with_answers(soup: BeautifulSoup) -> None:
    for said in soup.select(".prediction details b"):
        for pattern, instead in _TOLD:
            said.string = pattern.sub(instead, said.get_text())


def _keep_together(soup: BeautifulSoup) -> None:
    """A heading with what follows it, a text with what it shows or asks, a question with its lines: each on one sheet."""
    for code in soup.select(".highlight"):
        if code.get_text().strip().count("\n") > _LONG:
            code["class"].append("long")
    parts = soup.main.find_all("div", recursive=False)
    while parts:
        group = [parts.pop(0)]
        while parts and _leads_to(group[-1], parts[0]):
            group.append(parts.pop(0))
        if len(group) > 1:
            group[0].wrap(soup.new_tag("div", attrs={"class": "together"})).extend(group[1:])


def _leads_to(part, following) -> bool:
    text = part.get_text().strip()
    if part.select("h1, h2, h3"):
        return len(following.get_text()) < _SHORT or bool(following.select(".box"))
    announces = leads_on(text) and not following.select(".long, .course-step, .course-picture")
    announces = announces or bool(following.select(".prediction"))
    return "room" in following["class"] or "jp-MarkdownCell" in part["class"] and announces and len(text) < _SHORT


def page(notebook, language: str, answers: bool, lengths: list[int] = (), number: str = "") -> str:
    """`lengths` are those of the answers, in lines: so much room there is to write them."""
    notebook = copy.deepcopy(notebook)
    plumbing.fold(notebook)
    soup = pages.soup_of(notebook, language)
    _with_answers(soup) if answers else _without_answers(soup, list(lengths))
    if lengths:
        soup.main["data-number"] = ""  # its headings are numbered, as on the web
    for link in soup.select('main a[href^="http"]'):
        link["data-at"] = re.sub(r"^https?://(www\.)?|/$", "", link["href"])
    pages.in_lines(soup)
    _keep_together(soup)
    soup.body["class"] = ["jp-Notebook", "answers" if answers else "no-answers"]
    if not answers:
        soup.h1.find_parent(class_="jp-Cell").insert_before(_blank(soup, spans("姓名、日期：", "Name, date:")))
    pages.tidy(soup, language)  # of what was put in, one language as well
    if number:
        soup.h1["data-number"] = number
    for picture in soup.select("img:is([alt^='In memory'], [alt^='在内存里'])"):
        for colour, paler in _GREYS:
            picture["src"] = picture["src"].replace(colour, paler)
    _running(soup, f"{number} {pages.title(notebook)}".strip())
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
