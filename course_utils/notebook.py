"""What a notebook of the course starts with: `start()` shows the language switch.

Radio buttons and style rules, no script and no kernel, so that it also works in an exported page.
"""

import os

from .language import LANGUAGES, both

_CHOICES = {"zh": "中文", "en": "English", "both": "中文 + English"}

# All switches on a page share one radio group, and none is checked at first: a notebook opened later follows the choice
# already made. The labels are drawn from the page's state, not from their own input, so that every switch shows it.
_RULES = """
<style>
body:has(input[name="course-language"][value="en"]:checked) .jp-Cell [lang="zh"],
body:has(input[name="course-language"][value="zh"]:checked) .jp-Cell [lang="en"],
body:has(input[name="course-language"]:is([value="zh"], [value="en"]):checked) .jp-Cell .course-both,
body:has(input[name="course-language"][value="en"]:checked) .jp-MarkdownCell:has([lang="zh"]):not(:has([lang="en"])),
body:has(input[name="course-language"][value="zh"]:checked) .jp-MarkdownCell:has([lang="en"]):not(:has([lang="zh"]))
{ display: none !important; }
[data-jp-theme-light="false"] .jp-RenderedMarkdown img { color-scheme: dark; }
.course-switch { display: inline-flex; gap: 2px; margin: 4px 0; padding: 2px; border-radius: 6px; font-size: 14px;
  background: var(--jp-layout-color2, #eee); color: var(--jp-ui-font-color1, #222); }
.course-switch label { padding: 4px 12px; border-radius: 5px; cursor: pointer; }
.course-switch input { position: absolute; opacity: 0; }
.course-switch label:focus-within { outline: 2px solid var(--jp-brand-color1, #1976d2); }
body:has(input[name="course-language"][value="zh"]:checked) .course-switch label.zh,
body:has(input[name="course-language"][value="en"]:checked) .course-switch label.en,
body:has(input[name="course-language"][value="both"]:checked) .course-switch label.both,
body:not(:has(input[name="course-language"]:checked)) .course-switch label.both
{ background: var(--jp-layout-color0, #fff); box-shadow: 0 1px 2px rgb(0 0 0 / 30%); font-weight: 600; }
</style>
"""


class Switch:
    """The language switch. `COURSE_LANG=zh` or `en` makes a choice beforehand, for a class."""

    def __init__(self, chosen: str = ""):
        self.chosen = chosen if chosen in LANGUAGES else ""

    def __repr__(self) -> str:
        return " | ".join(_CHOICES.values())

    def _repr_html_(self) -> str:
        buttons = "".join(
            f'<label class="{value}"><input type="radio" name="course-language" value="{value}"'
            f"{' checked' if value == self.chosen else ''}>{label}</label>"
            for value, label in _CHOICES.items()
        )
        return f'{_RULES}<div class="course-switch" role="radiogroup" aria-label="语言 · Language">{buttons}</div>'


class Only:
    """Stands in for the switch in a handout that holds one language: hides the other one, in this notebook alone."""

    def __init__(self, language: str):
        if language not in LANGUAGES:
            raise ValueError(both(f"只有 zh 与 en，没有 {language!r}。", f"There are zh and en, but no {language!r}."))
        self.language = language

    def __repr__(self) -> str:
        return _CHOICES[self.language]

    def _repr_html_(self) -> str:
        other = next(language for language in LANGUAGES if language != self.language)
        hidden = f'.jp-Notebook:has(.course-only-{self.language}) .jp-Cell :is([lang="{other}"], .course-both)'
        return (
            f'<style>{hidden} {{ display: none !important; }}</style><span class="course-only-{self.language}"></span>'
        )


def start(language: str = "") -> Switch | Only:
    """The first line of every notebook: chooses where kernels run, and returns the language switch to show.

    A handout in one language names it, and has no switch.
    """
    from . import backend  # noqa: F401  decides before the notebook imports triton

    return Only(language) if language else Switch(os.environ.get("COURSE_LANG", ""))
