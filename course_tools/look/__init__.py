"""The one look of handouts, slides and the site: style sheets, the colours of code, and the scripts that every page needs.

A page says its language and theme on its root element (`data-lang`, `data-theme`); style sheets do the rest. With no script
both languages show, the theme is the system's, pictures stand still and questions unfold.
"""

from functools import cache
from pathlib import Path

from course_utils.lab import OPENS

from .code_colours import rules

HERE = Path(__file__).parent
PLAYER = HERE.parent / "player"


@cache
def style(page: Path = HERE / "page.css") -> str:
    """Everything a page of the course needs to look like one; slides have another sheet than pages for what stands where."""
    sheets = [HERE / "colours.css", page, PLAYER / "player.css", HERE / "predict.css"]
    return "\n".join([*(sheet.read_text(encoding="utf-8").strip() for sheet in sheets), rules()])


@cache
def start() -> str:
    """Runs before anything is drawn: language and theme, so that nothing flickers."""
    return (HERE / "start.js").read_text(encoding="utf-8").strip()


@cache
def script() -> str:
    """Runs once the page is there."""
    parts = [HERE / "page.js", PLAYER / "player.js", HERE / "predict.js"]
    return "\n".join([OPENS, *(part.read_text(encoding="utf-8").strip() for part in parts)])
