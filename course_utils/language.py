"""Two languages, one switch: every text the course shows carries Chinese and English side by side."""

import html
from dataclasses import dataclass

LANGUAGES = ("zh", "en")


def both(zh: str, en: str) -> str:
    """One plain string with both languages, for terminals and error messages."""
    return f"{zh}\n{en}"


def spans(zh: str, en: str) -> str:
    """One HTML fragment whose two halves obey the notebook's language switch. Takes HTML, escapes nothing."""
    if zh == en:
        return zh
    return f'<span lang="zh">{zh}</span><span class="course-both"> · </span><span lang="en">{en}</span>'


def blocks(zh: str, en: str) -> str:
    """Like `spans`, for fragments that hold block elements such as tables and paragraphs."""
    return f'<div lang="zh">{zh}</div><div lang="en">{en}</div>'


@dataclass(frozen=True)
class Text:
    """A text in both languages: HTML that obeys the switch in a notebook, two lines anywhere else."""

    zh: str
    en: str

    def __str__(self) -> str:
        return both(self.zh, self.en)

    def _repr_html_(self) -> str:
        return blocks(html.escape(self.zh), html.escape(self.en))
