"""Two languages, one switch: every text the course shows carries Chinese and English side by side."""

import html
import re
from dataclasses import dataclass

LANGUAGES = ("zh", "en")

# Of a folded output JupyterLab shows the first line that is not empty, as it is written. Before style rules it is this one.
BLANK = " \n"

# A label such as "列数 · columns". "y · dy" is none: its first half is not Chinese.
_CHINESE = "\u3000-\u303f\u4e00-\u9fff\uff00-\uffef"
_LABEL = re.compile(f"(.*?[{_CHINESE}].*?) · ([^{_CHINESE}]*)")


def both(zh: str, en: str) -> str:
    """One plain string with both languages, for terminals and error messages."""
    return f"{zh}\n{en}"


def spans(zh: str, en: str) -> str:
    """One HTML fragment whose two halves obey the notebook's language switch. Takes HTML, escapes nothing."""
    if zh == en:
        return zh
    return f'<span lang="zh">{zh}</span><span class="course-both"> · </span><span lang="en">{en}</span>'


def code(text: str) -> str:
    """HTML in which what stands between backticks is code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", text)


def blocks(zh: str, en: str) -> str:
    """Like `spans`, for fragments that hold block elements such as tables and paragraphs."""
    return f'<div lang="zh">{zh}</div><div lang="en">{en}</div>'


@dataclass(frozen=True)
class Text:
    """A text in both languages: HTML that obeys the switch in a notebook, two lines anywhere else."""

    zh: str
    en: str

    @classmethod
    def of(cls, label) -> "Text":
        """A label such as "列数 · columns" in its two languages; anything else reads the same in both."""
        if isinstance(label, Text):
            return label
        halves = _LABEL.fullmatch(str(label))
        return cls(*halves.groups()) if halves else cls(str(label), str(label))

    def filled(self, **values) -> "Text":
        """What stands in braces, replaced. A value that is a `Text` goes in half by half."""
        halves = []
        for language in LANGUAGES:
            inside = {k: getattr(v, language) if isinstance(v, Text) else v for k, v in values.items()}
            halves.append(getattr(self, language).format(**inside))
        return Text(*halves)

    def __str__(self) -> str:
        return both(self.zh, self.en)

    def _repr_html_(self) -> str:
        return blocks(code(html.escape(self.zh)), code(html.escape(self.en)))
