"""The language switch: three radio buttons, and style rules that hide what the choice leaves out.

Its floor is HTML and CSS alone: in a page that runs no script it works on that page. Where scripts run it remembers: the
choice is kept by the browser, holds in every notebook, and survives Run All, a restart, a reload and a new day.
"""

from . import lab
from .language import Text, spans

CHOICES = {"zh": "中文", "en": "English", "both": "中文 + English"}


def _chosen(*values: str) -> str:
    """Matches a page where one of these is chosen. The script says so on the root; without it, the buttons do."""
    buttons = ", ".join(f'[value="{value}"]' for value in values)
    roots = ", ".join(f'[data-course-language="{value}"]' for value in values)
    unscripted = f':root:not([data-course-language]):has(input[name="course-language"]:is({buttons}):checked)'
    return f":is(:root:is({roots}), {unscripted})"


# A handout in one language has nothing to choose (`notebook.Only`), and another notebook's choice must not empty it.
_HERE = ':not(.jp-Notebook:has([class^="course-only-"]) *)'

# A notebook that JupyterLab does not trust yet shows its stored outputs without style rules, and its buttons would be dead:
# they are `hidden`, and only the rules bring them back. In their place stands what to do.
_RULES = f"""
<style class="course-language-rules">
{_chosen("en")} .jp-Cell [lang="zh"]{_HERE},
{_chosen("zh")} .jp-Cell [lang="en"]{_HERE},
{_chosen("zh", "en")} .jp-Cell .course-both{_HERE},
{_chosen("en")} .jp-MarkdownCell:has([lang="zh"]):not(:has([lang="en"])){_HERE},
{_chosen("zh")} .jp-MarkdownCell:has([lang="en"]):not(:has([lang="zh"])){_HERE},
.course-switch-untrusted
{{ display: none !important; }}
.course-switch {{ display: inline-flex !important; gap: 2px; margin: 4px 0; padding: 2px; border-radius: 6px; font-size: 14px;
  background: var(--jp-layout-color2, #eee); color: var(--jp-ui-font-color1, #222); }}
.course-switch label {{ padding: 4px 12px; border-radius: 5px; cursor: pointer; }}
.course-switch input {{ position: absolute; opacity: 0; }}
.course-switch label:focus-within {{ outline: 2px solid var(--jp-brand-color1, #1976d2); }}
{_chosen("zh")} .course-switch label.zh,
{_chosen("en")} .course-switch label.en,
{_chosen("both")} .course-switch label.both,
:root:not([data-course-language], :has(input[name="course-language"]:checked)) .course-switch label.both
{{ background: var(--jp-layout-color0, #fff); box-shadow: 0 1px 2px rgb(0 0 0 / 30%); font-weight: 600; }}
{lab.RULES}
</style>
"""


class Switch:
    """The language switch. `COURSE_LANG=zh`, `en` or `both` makes a choice beforehand, for a class."""

    def __init__(self, chosen: str = ""):
        self.chosen = chosen if chosen in CHOICES else ""
        self.word = None if self.chosen == chosen else _unknown_language(chosen)

    def __repr__(self) -> str:
        choices = " | ".join(CHOICES.values())
        return f"{choices}\n{self.word}" if self.word else choices

    def _repr_html_(self) -> str:
        buttons = "".join(
            f'<label class="{value}"><input type="radio" name="course-language" value="{value}"'
            f"{' checked' if value == self.chosen else ''}>{label}</label>"
            for value, label in CHOICES.items()
        )
        switch = (
            f'<div class="course-switch" role="radiogroup" aria-label="语言 · Language" hidden="hidden">{buttons}</div>'
        )
        first = spans("运行这一格（Shift+Enter），就能选语言。", "Run this cell (Shift+Enter) to choose a language.")
        untrusted = f'<div class="course-switch-untrusted">{first}</div>'
        word = self.word._repr_html_() if self.word else ""
        return f"{_RULES}{switch}{untrusted}{word}{lab.SCRIPT.replace('ASKED', self.chosen)}"


def _unknown_language(chosen: str) -> Text:
    chosen = chosen[:20]
    return Text(
        f"COURSE_LANG={chosen!r} 不是课程有的语言；可选 zh、en 或 both，现在照浏览器的语言。",
        f"COURSE_LANG={chosen!r} is no language of this course; choose zh, en or both. For now the browser's language is shown.",
    )
