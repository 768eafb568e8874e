"""The search's index, made here in the form that MiniSearch loads; the words are cut here and in site.js in the same way.

Latin words count whole. Chinese has no spaces, so its characters count in pairs, and one by one: 占用率 is found as 占用 and 用率.
"""

import json
import re
from collections import Counter
from dataclasses import dataclass

from bs4 import BeautifulSoup

from course_utils.language import LANGUAGES

from .shell import Page

_RUN = re.compile(r"[a-z0-9_]+|[\u4e00-\u9fff]+")
_IMPORT = re.compile(r"import |from \S+ import |notebook\.start")
_FIELDS = ("title", "text")


@dataclass(frozen=True)
class Document:
    """A section of a page in one language."""

    language: str
    address: str
    page: str
    title: str
    text: str


def tokens(text: str) -> list[str]:
    found = []
    for run in _RUN.findall(text.lower()):
        if run[0] < "\u4e00":
            found.append(run)
        else:
            found += [*run, *(run[k : k + 2] for k in range(len(run) - 1))]
    return found


def documents(page: Page) -> list[Document]:
    found = []
    for language in LANGUAGES:
        for place, title, text in _sections(page, language):
            where = f"{page.file}#{place}" if place else page.file
            found.append(Document(language, where, getattr(page.title, language), title, text))
    return found


def _sections(page: Page, language: str):
    """What stands below each heading; code belongs to both languages, outputs to none. A term is a section of its own."""
    main = BeautifulSoup(str(page.main), "html.parser")
    for mark, raised in (("_", main.select("msub")), ("^", main.select("msup")), ("/", main.select("mfrac"))):
        for each in raised:
            each.find_all(recursive=False)[1].insert_before(mark)
    for end in main.select("br"):
        end.replace_with(" ")
    for code in main.select("pre"):
        code.string = "\n".join(line for line in code.get_text().splitlines() if not _IMPORT.match(line))
    other = next(each for each in LANGUAGES if each != language)
    for left_out in main.select(
        f'[lang="{other}"], .course-both, .jp-OutputArea, .player, style, script, .anchor-link, .exercise, details:not(.result)'
    ):
        left_out.decompose()
    place, title, parts = "", getattr(page.title, language), []
    for element in main.find_all(["h1", "h2", "h3", "p", "li", "td", "pre", "dt", "dd"]):
        if element.name in ("h1", "h2", "h3", "dt"):
            if parts:
                yield place, title, " ".join(parts)
            place, parts = element.get("id", "") if element.name != "h1" else "", []
            title = " ".join(element.get_text(" ").split())
        elif not element.find_parent(["p", "li", "td", "dd"]):
            parts.append(" ".join(element.get_text().split()))
    if parts:
        yield place, title, " ".join(parts)


def index(documents: list[Document]) -> str:
    terms: dict[str, dict[str, dict[str, int]]] = {}
    lengths = []
    for number, document in enumerate(documents):
        counts = [Counter(tokens(getattr(document, name))) for name in _FIELDS]
        lengths.append([len(count) for count in counts])
        for k, count in enumerate(counts):
            for term, times in count.items():
                terms.setdefault(term, {}).setdefault(str(k), {})[str(number)] = times
    told = {
        "documentCount": len(documents),
        "nextId": len(documents),
        "documentIds": {str(k): k for k in range(len(documents))},
        "fieldIds": {name: k for k, name in enumerate(_FIELDS)},
        "fieldLength": {str(k): length for k, length in enumerate(lengths)},
        "averageFieldLength": [sum(column) / max(len(lengths), 1) for column in zip(*lengths)],
        "storedFields": {str(k): vars(document) for k, document in enumerate(documents)},
        "dirtCount": 0,
        "index": sorted(terms.items()),
        "serializationVersion": 2,
    }
    return json.dumps(told, ensure_ascii=False, separators=(",", ":"))
