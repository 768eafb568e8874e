"""A finished picture: what a notebook shows, what nbval compares, and what lands in `images/`."""

from dataclasses import dataclass
from html import escape
from pathlib import Path

from ..language import BLANK, LANGUAGES, Text, blocks
from .canvas import Canvas

# JupyterLab tells its theme to its own styles only; this passes it on to the picture, which has colours for both.
_STYLE = BLANK + '<style>[data-jp-theme-light="false"] .course-picture{color-scheme:dark}</style>'


def _in_attribute(svg: str) -> str:
    """A picture as a data URL that can be read, and compared line by line: no base64, each shape on a line of its own."""
    for char in "%&#":  # they mean something in a URL or in HTML
        svg = svg.replace(char, f"%{ord(char):X}")
    return svg.replace('"', "'")  # in text a quotation mark is escaped, so these are the attributes' own


@dataclass(frozen=True)
class Picture:
    """A drawing with its description in both languages.

    It is drawn once in each, and the language switch hides the other. In a notebook it is an <img> in HTML: that shows before
    anything is run (JupyterLab withholds a bare SVG until the cell is trusted), and its fonts and styles touch nothing else
    on the page. Bytes depend on the arguments alone, so nbval compares the picture too.
    """

    canvas: Canvas
    zh: str
    en: str
    note: Text | None = None  # a sentence below the picture

    def __str__(self) -> str:
        lines = (self.zh, self.en) if self.note is None else (self.zh, self.note.zh, self.en, self.note.en)
        return "\n".join(lines)

    __repr__ = __str__

    def title(self, language: str) -> str:
        return {"zh": self.zh, "en": self.en, "both": f"{self.zh} · {self.en}"}[language]

    def svg(self, language: str = "both") -> str:
        """As a file of its own."""
        return self.canvas.svg(language, self.title(language))

    def inline(self) -> str:
        """As part of a page: what explorers redraw, with tips under the pointer."""
        return blocks(*(self.canvas.svg(each, self.title(each), inline=True) for each in LANGUAGES)) + self._note()

    def html(self, kind: str = "") -> str:
        return _STYLE + blocks(*(self._image(each, kind) for each in LANGUAGES)) + self._note()

    def _image(self, language: str, kind: str) -> str:
        return (
            f'<img class="course-picture{kind}" alt="{escape(self.title(language))}" width="{self.canvas.width:g}" '
            f'style="max-width:100%;height:auto" src="data:image/svg+xml,{_in_attribute(self.canvas.svg(language))}">'
        )

    def _note(self) -> str:
        return self.note._repr_html_() if self.note else ""

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict[str, str]:
        return {"text/html": self.html(), "text/plain": str(self)}

    def save(self, path) -> Path:
        path = Path(path)
        path.write_text(self.svg() + "\n", encoding="utf-8")
        return path
