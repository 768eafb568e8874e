"""What a notebook of the course starts with: `start()` shows the language switch.

Radio buttons and style rules, no script and no kernel, so that it also works in an exported page.
"""

import os

from .language import LANGUAGES, Text, both

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
        known = chosen in (*LANGUAGES, "both", "")
        self.chosen = chosen if chosen in LANGUAGES else ""
        self.word = None if known else _unknown_language(chosen)

    def __repr__(self) -> str:
        choices = " | ".join(_CHOICES.values())
        return f"{choices}\n{self.word}" if self.word else choices

    def _repr_html_(self) -> str:
        buttons = "".join(
            f'<label class="{value}"><input type="radio" name="course-language" value="{value}"'
            f"{' checked' if value == self.chosen else ''}>{label}</label>"
            for value, label in _CHOICES.items()
        )
        word = self.word._repr_html_() if self.word else ""
        return (
            f'{_RULES}<div class="course-switch" role="radiogroup" aria-label="语言 · Language">{buttons}</div>{word}'
        )


def _unknown_language(chosen: str) -> Text:
    chosen = chosen[:20]
    return Text(
        f"COURSE_LANG={chosen!r} 不是课程有的语言；可选 zh、en 或 both，现在两种都显示。",
        f"COURSE_LANG={chosen!r} is no language of this course; choose zh, en or both. For now both are shown.",
    )


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
    from . import backend  # decides before the notebook imports triton

    _require_gpu(backend.mode)
    return Only(language) if language else Switch(os.environ.get("COURSE_LANG", ""))


def _require_gpu(mode: str) -> None:
    """Whoever asks for a GPU that is not there is told so here, and not by Triton's first launch."""
    asked = os.environ.get("COURSE_BACKEND", "").strip().lower()
    if asked not in ("cuda", "hip") or mode != asked:
        return
    import torch

    if not torch.cuda.is_available():
        raise RuntimeError(
            both(
                f"COURSE_BACKEND={asked}，可是 PyTorch 在这里看不到 GPU。去掉这个环境变量（或者设成 interpreter），重启 Jupyter 内核，"
                "课程就在解释器里运行。",
                f"COURSE_BACKEND={asked}, but PyTorch sees no GPU here. Unset that variable (or set it to interpreter) and restart the "
                "Jupyter kernel; the course then runs in the interpreter.",
            )
        )
