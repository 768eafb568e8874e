"""The glossary as a page, and the terms in the text that lead to it."""

import re
from html import escape

from bs4 import BeautifulSoup, NavigableString

from course_utils.glossary import GLOSSARY as TERMS
from course_utils.glossary import Term
from course_utils.language import Text

from ..contents import Entry
from .shell import GLOSSARY, Heading, Page, address, in_spans

_TITLE = Text("词汇表", "Glossary")
_NOT_IN = ("a", "code", "pre", "math", "h1", "h2", "h3", "summary", "th", "script", "style")
_PARAGRAPH = ("p", "li", "td", "dd", "div")

# Where a word is not the term. In its paragraph the word stands between brackets, 滑⟦块⟧; what matches here gets no link.
_NOT_MEANT = {
    "block": "[一二两三四几半整每这那哪某好小大方滑碎分程块板]⟦块|[0-9A-Z] ⟦块|[Tt]hread ⟦",  # 一块 GPU, 滑块, 线程块
    "clean": r"\b(is|surprisingly) ⟦",  # such as data, or a result: not the state of a cache
    "dirty": "(data|what) is ⟦|脏数据（⟦",
    "grid": "⟦网格⟧跨步",
    "kernel": "(Jupyter|Liger|Restart) ⟦|⟦[Kk]ernel⟧ →",
    "launch": "⟦启动⟧(器| Jupyter| Python)|lab ⟦启动⟧",
    "program": r"(whole|Python) ⟦|the ⟦program⟧ in \S*PTX",
    "register": r"to ⟦register⟧|⟦registers?⟧ (an?|the|it) ",
    "specialization": "[Ww]arp ⟦",
    "stride": "⟦strides?⟧ by ",
    "thread": "⟦线程⟧块|⟦threads?⟧ block",
    "wave": r"\b(AMD|CDNA|CUs?|SIMDs?|wavefront)\b",  # anywhere in the paragraph: AMD's wave is a warp
    "write-back": "^(?!.*(L2|缓存|脏))",  # 写回 is any store, unless the paragraph speaks of a cache
}


def place(term: Term) -> str:
    return "term-" + re.sub(r"[^a-z0-9]+", "-", term.name.en.lower()).strip("-")


def page(found: list[Entry]) -> Page:
    taught = {entry.number: entry for entry in found}
    parts, headings = [f"<h1>{in_spans(_TITLE)}</h1>"], [Heading(1, "", _TITLE)]
    for number, (heading, terms) in enumerate(TERMS.items()):
        headings.append(Heading(2, f"part-{number}", heading))
        parts.append(
            f'<h2 id="part-{number}">{in_spans(heading)}</h2><dl>{"".join(_entry(term, taught) for term in terms)}</dl>'
        )
    main = BeautifulSoup(f"<main>{''.join(parts)}</main>", "html.parser").main
    return Page(GLOSSARY, _TITLE, main, headings=headings)


def _entry(term: Term, taught: dict[str, Entry]) -> str:
    """A word in the reader's language, beside it what it is called in the other one and by CUDA."""
    also = "" if term.name.en in term.name.zh else f'<span class="also" lang="zh">{escape(term.name.en)}</span>'
    if term.name.zh != term.name.en:
        also += f'<span class="also" lang="en">{escape(term.name.zh)}</span>'
    cuda = re.sub(r"`([^`]*)`", r"<code>\1</code>", escape(term.cuda))
    where = taught.get(term.taught)
    link = f' <a href="{address(where)}">{where.number} {in_spans(where.title)}</a>' if where else ""
    return (
        f'<dt id="{place(term)}">{in_spans(term.name)} {also}</dt>'
        f"<dd>{in_spans(term.says)}<br><small>CUDA: {cuda}.{link}</small></dd>"
    )


def _forms() -> dict[str, dict[str, str]]:
    """How each term is written in each language, "SM (streaming multiprocessor)" in two ways, and where it leads."""
    found: dict[str, dict[str, str]] = {"zh": {}, "en": {}}
    for terms in TERMS.values():
        for term in terms:
            for language in found:
                for form in re.split(r"[（(）)]", getattr(term.name, language)):
                    if form.strip():
                        found[language].setdefault(form.strip().lower(), place(term))
    return found


_FORMS = _forms()
_SAYS = {
    language: {place(term): escape(getattr(term.says, language)) for terms in TERMS.values() for term in terms}
    for language in _FORMS
}


def _pattern(language: str) -> re.Pattern:
    forms = sorted(_FORMS[language], key=len, reverse=True)
    plural = "(?:s|es)?" if language == "en" else ""
    words = (rf"(?<![\w-]){re.escape(form)}{plural}(?![\w-])" if form.isascii() else re.escape(form) for form in forms)
    return re.compile("|".join(words), re.IGNORECASE | re.ASCII)


_PATTERNS = {language: _pattern(language) for language in _FORMS}


def link(main: BeautifulSoup) -> None:
    """The first time a lesson uses a term, in either language, it says what that is, and leads to the glossary."""
    seen: set[tuple[str, str]] = set()
    for element in main.select(".jp-MarkdownCell div[lang]"):
        language = element["lang"]
        for text in list(element.find_all(string=True)):
            if type(text) is NavigableString and not text.find_parent(_NOT_IN):
                _link_in(text, language, seen)


def _is_meant(target: str, before: str, word: str, after: str) -> bool:
    rule = _NOT_MEANT.get(target.removeprefix("term-"))
    return not (rule and re.search(rule, f"{before}⟦{word}⟧{after}", re.DOTALL))


def _around(text: NavigableString) -> tuple[str, str]:
    """What stands before and after a piece of text in its paragraph."""
    pieces = list((text.find_parent(_PARAGRAPH) or text.parent).strings)
    here = next(k for k, piece in enumerate(pieces) if piece is text)
    return "".join(pieces[:here]), "".join(pieces[here + 1 :])


def _link_in(text: NavigableString, language: str, seen: set) -> None:
    before, after = _around(text)
    parts, end = [], 0
    for match in _PATTERNS[language].finditer(text):
        form = match[0].lower()
        target = next(
            _FORMS[language][each]
            for each in (form, form.removesuffix("s"), form.removesuffix("es"))
            if each in _FORMS[language]
        )
        if (language, target) in seen:
            continue
        if not _is_meant(target, before + text[: match.start()], match[0], text[match.end() :] + after):
            continue
        seen.add((language, target))
        parts += [
            escape(text[end : match.start()], quote=False),
            f'<a class="term" href="{GLOSSARY}#{target}" data-says="{_SAYS[language][target]}">{escape(match[0])}</a>',
        ]
        end = match.end()
    if parts:
        text.replace_with(BeautifulSoup("".join([*parts, escape(text[end:], quote=False)]), "html.parser"))
