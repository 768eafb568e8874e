"""What a notebook of the course starts with: `start()` chooses where kernels run, and shows the language switch."""

import os

from .language import LANGUAGES, both
from .switch import CHOICES, Switch


class Only:
    """Stands in for the switch in a handout that holds one language: hides the other one, in this notebook alone."""

    def __init__(self, language: str):
        if language not in LANGUAGES:
            raise ValueError(both(f"只有 zh 与 en，没有 {language!r}。", f"There are zh and en, but no {language!r}."))
        self.language = language

    def __repr__(self) -> str:
        return CHOICES[self.language]

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
